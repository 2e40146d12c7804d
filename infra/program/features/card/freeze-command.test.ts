import { CARD_ORDERING } from '../../../../test/card/ordering';
import { cardAccountStream } from '../../../../contracts/events/card-account';
import { cardStream } from '../../../../contracts/events/card';
import { cardAccountKind } from '../../../../services/card/account/decider';
import { cardKind, type CardOrdering } from '../../../../services/card/card/decider';
import { createHandle } from '../../../../services/commands/handle';
import { OPENING } from '../../../../test/card/account';
import { commandLine } from '../../../../test/command-line';
import { withEngines } from '../../commands/with-engines';
import { cardCommand } from './card-command';

const { run, config } = commandLine(cardCommand);
const cards = async (...words: string[]) =>
  JSON.parse(await run('--json', 'card', ...words)) as Record<string, unknown>;

const cardId = '9e0f1a2b-4c5d-4e6f-8a7b-0c1d2e3f4a5b';
const accountId = '5b1d7c0a-3c55-5d1f-8b6e-6f1f0a2b3c4d';
const UNKNOWN = '1e0f1a2b-4c5d-4e6f-8a7b-0c1d2e3f4a5b';
const metadata = { now: '2026-11-23T12:00:00.000Z', actor: 'holder' };

beforeAll(() =>
  withEngines(config(), async ({ engines: { store } }) => {
    const handle = createHandle({ store });
    await handle(cardAccountKind, cardAccountStream(accountId), {
      type: 'open',
      account: { ...OPENING, accountId },
      metadata,
    });
    const card: CardOrdering = { ...CARD_ORDERING, cardId, accountId };
    for (const command of [
      { type: 'order', card, all: 0, open: 0, metadata },
      { type: 'pay', metadata },
      { type: 'recordIssued', issuerCardId: 'i-1', lastFourDigits: '4242', metadata },
    ] as const)
      await handle(cardKind, cardStream(cardId), command);
  }),
);

it('freezes a card, once, and makes it usable again', async () => {
  expect(await cards('freeze', cardId)).toEqual({ cardId, status: 'PENDING_FREEZE', changed: true });
  expect(await cards('freeze', cardId)).toEqual({ cardId, status: 'PENDING_FREEZE', changed: false });
  expect(await cards('unfreeze', cardId)).toEqual({ cardId, status: 'PENDING_UNFREEZE', changed: true });
  await expect(run('card', 'freeze', UNKNOWN)).rejects.toThrow('There is no such card');
});

it('shows limits, and changes those that are given, at once', async () => {
  const limits = OPENING.limits;
  expect(await cards('limits', accountId)).toEqual({ accountId, limits, changed: false });
  const higher = { ...limits, monthly: '2000000' };
  expect(await cards('limits', accountId, '--monthly', '2000000')).toEqual({
    accountId,
    limits: higher,
    changed: true,
  });
  expect(await cards('limits', accountId)).toMatchObject({ limits: higher });
  await expect(run('card', 'limits', accountId, '--daily', '1')).rejects.toThrow('onetime is at most daily');
  await expect(run('card', 'limits', UNKNOWN)).rejects.toThrow('There is no account');
});

it('leaves a line of each change in the audit trail', () =>
  withEngines(config(), async ({ engines: { store } }) => {
    const actions = [];
    for await (const page of store.readAll({ categories: ['audit'] }))
      for (const { data } of page) actions.push(data['action']);
    expect(actions).toEqual(expect.arrayContaining(['card freeze', 'card unfreeze', 'card limits']));
  }));
