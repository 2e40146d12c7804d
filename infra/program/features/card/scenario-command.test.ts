import { pino } from 'pino';
import type { CardIssuerDouble } from '../../../devnet/devnet';
import { commandLine } from '../../../../test/command-line';
import { cardCommand } from './card-command';
import { cardIssuerDouble } from './issuer';

const { run, config } = commandLine(cardCommand);
const cardId = '9e0f1a2b-4c5d-4e6f-8a7b-0c1d2e3f4a5b';
let double: CardIssuerDouble;

beforeAll(async () => {
  const deps = { config: config(), logger: pino({ level: 'silent' }) };
  double = await cardIssuerDouble.open(deps as never);
});
afterAll(() => double.close());

it('a double that cannot send webhooks lists what it can do, and says what it needs to do it', async () => {
  expect(await run('card', 'scenario')).toContain('force-post');
  await expect(run('card', 'scenario', 'purchase', '--card', cardId)).rejects.toThrow('set PUBLIC_URL');
  await expect(run('card', 'scenario', 'foo')).rejects.toThrow(
    'there is no scenario foo: must be one of purchase, three-d-secure',
  );
  expect(double.messages()).toEqual([]);
});
