import { pino } from 'pino';
import type { CardIssuerDouble } from '../../../devnet/devnet';
import type { Config } from '../../../config/settings';
import { CARD_ORDERING } from '../../../../test/card/ordering';
import { commandLine, runCommand } from '../../../../test/command-line';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { withEngines } from '../../commands/with-engines';
import { readConfig } from '../../settings/config';
import { createHttpIssuer } from '../../../engines/card-issuer/http-issuer';
import { cardCommand } from './card-command';
import { cardIssuerDouble, doubleSecrets } from './issuer';

const { run, config } = commandLine(cardCommand);
const cardId = '9e0f1a2b-4c5d-4e6f-8a7b-0c1d2e3f4a5b';
const UNKNOWN = '1e0f1a2b-4c5d-4e6f-8a7b-0c1d2e3f4a5b';
const doubles: CardIssuerDouble[] = [];

async function openDouble(of: Config): Promise<CardIssuerDouble> {
  const deps = { config: of, logger: pino({ level: 'silent' }) };
  const double = await cardIssuerDouble.open(deps as never);
  doubles.push(double);
  return double;
}
afterAll(() => Promise.all(doubles.map(double => double.close())));

it('says that no program runs, which would have a double', async () => {
  await expect(run('card', 'scenario', 'purchase', '--card', cardId)).rejects.toThrow(
    `no tidemark runs on ${config().DATA_DIR}; tidemark start runs one`,
  );
});

it('a double that cannot send webhooks lists what it can do, and says what it needs to do it', async () => {
  const double = await openDouble(config());
  expect(await run('card', 'scenario')).toContain('force-post');
  await expect(run('card', 'scenario', 'purchase', '--card', cardId)).rejects.toThrow('set PUBLIC_URL');
  await expect(run('card', 'scenario', 'foo')).rejects.toThrow(
    'there is no scenario foo: must be one of purchase, three-d-secure',
  );
  expect(double.messages()).toEqual([]);
});

it('what an operator has it do, such as to void a purchase, is in the audit trail, also where it is refused', async () => {
  // Nothing listens there: what happens to the card is sent again and again.
  const DATA_DIR = temporaryFolder();
  const settings = readConfig({ DATA_DIR, LOG_LEVEL: 'fatal', PUBLIC_URL: 'http://127.0.0.1:9' });
  const double = await openDouble(settings);
  const { key } = await doubleSecrets(settings);
  const issuer = createHttpIssuer({ url: double.url, key, sandbox: true });
  const accountCurrency = { ticker: 'TON', decimals: 9 };
  await issuer.issueCard(
    { ...CARD_ORDERING, cardId, delivery: null, accountCurrency },
    { signal: new AbortController().signal },
  );
  await issuer.close();
  const scenario = (...words: string[]) =>
    runCommand([cardCommand], () => settings, ['--json', 'card', 'scenario', ...words]);
  await scenario('reversal', '--card', cardId, '--amount', '700');
  expect(
    double
      .messages()
      .map(({ body }) => body)
      .join(),
  ).toContain('authorisation.voided');
  await expect(scenario('reversal', '--card', UNKNOWN)).rejects.toThrow('card_not_found');
  const lines = await withEngines(settings, async ({ engines: { store } }) => {
    const found = [];
    for await (const page of store.readAll({ categories: ['audit'] }))
      found.push(...page.map(({ data }) => data));
    return found.filter(({ action }) => action === 'card scenario');
  });
  expect(lines).toMatchObject([
    { about: { scenario: 'reversal', cardId, amount: '700' }, outcome: 'ok', code: null },
    { about: { scenario: 'reversal', cardId: UNKNOWN }, outcome: 'refused', code: 'card_not_found' },
  ]);
});
