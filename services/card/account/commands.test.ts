import { cardStream } from '../../../contracts/events/card';
import { cardAccountStream } from '../../../contracts/events/card-account';
import { amountsOf, NOON, OPENING } from '../../../test/card/account';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { createHandle } from '../../commands/handle';
import { cardTransactionStream } from '../../../contracts/events/card-transaction';
import { cardUserStream } from '../../../contracts/events/card-user';
import { cardUserKind } from '../user/decider';
import { load } from '../../commands/load';
import { CARD_ORDERING } from '../../../test/card/ordering';
import { changeCard, payForCard } from '../card/commands';
import { cardKind, type CardOrdering } from '../card/decider';
import { archiveTransactions } from './archive';
import { authorise, changeAccount, moveAccount, type CardMovement } from './commands';
import { cardAccountKind } from './decider';

const { accountId } = OPENING;
const cardId = 'card-1';
const metadata = { now: NOON, actor: 'issuer' };
const CARD: CardOrdering = { ...CARD_ORDERING, accountId, fee: '40' };
const change = { by: 'holder', reason: '', occurredAt: NOON, metadata } as const;

const [twoDaysLater, threeDaysLater] = [2, 3].map(
  days => () => new Date(Date.parse(NOON) + days * 86_400_000),
) as [() => Date, () => Date];

/** An account with 10,000, and a card that was paid with 40 of it. */
async function setUp() {
  const store = new InMemoryEventStore();
  const deps = { store, handle: createHandle({ store }) };
  const topUp: CardMovement = {
    type: 'topUp',
    transactionId: 'top-up/1',
    entryId: '1',
    cardId: null,
    amount: '10000',
    chain: { account: OPENING.deposit!, hash: '1', lt: null },
    occurredAt: NOON,
    metadata,
  };
  await deps.handle(cardUserKind, cardUserStream(OPENING.userId), {
    type: 'enrol',
    userId: OPENING.userId,
    network: 'testnet',
    publicKey: 'ab'.repeat(32),
    wallets: [],
    isInvited: true,
    source: 'here',
    hasPlace: true,
    metadata,
  });
  await changeAccount(deps, accountId, { type: 'open', account: OPENING, metadata });
  await moveAccount(deps, accountId, topUp);
  await changeCard(deps, cardId, { type: 'order', card: CARD, all: 0, open: 0, metadata });
  await payForCard(deps, cardId, metadata);
  await changeCard(deps, cardId, {
    type: 'recordIssued',
    issuerCardId: 'i-1',
    lastFourDigits: '4242',
    metadata,
  });
  const balance = async () =>
    Number((await load(store, cardAccountKind, cardAccountStream(accountId)))!.balance.posted);
  const ask = (transactionId: string, fiat: number, rest: object = {}) =>
    load(store, cardKind, cardStream(cardId)).then(card =>
      authorise(deps, card!, {
        transactionId,
        entryId: `${transactionId}/request`,
        occurredAt: NOON,
        isIncrement: false,
        amounts: amountsOf(fiat),
        merchant: null,
        metadata,
        ...rest,
      }),
    );
  const clear = (transactionId: string, fiat: number): CardMovement => ({
    type: 'recordCleared',
    transactionId,
    entryId: `${transactionId}/clearing`,
    cardId,
    metadata,
    occurredAt: NOON,
    amounts: amountsOf(fiat),
    merchant: null,
    ofAuthorisation: String(fiat),
    final: true,
    forced: false,
    interchange: null,
  });
  return { store, deps, balance, ask, clear };
}

it('a card is paid for once', async () => {
  const { deps, balance } = await setUp();
  await payForCard(deps, cardId, metadata);
  expect(await balance()).toBe(9_960);
});

it('an authorisation is decided by the card, its holder and the account, and has one answer', async () => {
  const { deps, ask } = await setUp();
  expect(await ask('a', 9_960)).toMatchObject({ approved: true, accountId });
  expect(await ask('b', 1)).toMatchObject({ approved: false, reason: 'insufficient_funds' });
  expect(await ask('a', 9_960)).toMatchObject({ approved: true });
  await changeCard(deps, cardId, { type: 'freeze', ...change });
  expect(await ask('c', 0)).toMatchObject({ reason: 'card_frozen' });
  expect(await ask('a', 9_960, { entryId: 'again' })).toMatchObject({ approved: true });
  expect(await ask('b', 1, { entryId: 'again' })).toMatchObject({ reason: 'insufficient_funds' });
});

it('a refund is recorded with the purchase that it belongs to, where the issuer knows it', async () => {
  const { store, deps, ask, clear, balance } = await setUp();
  await ask('p', 1_000);
  await moveAccount(deps, accountId, { ...clear('p', 1_000), interchange: '15' } as CardMovement);
  const {
    ofAuthorisation: _of,
    final: _final,
    ...rest
  } = clear('r', 1_000) as unknown as Record<string, never>;
  const refund = { ...rest, type: 'recordRefunded', full: true, purchaseId: 'p' } as unknown as CardMovement;
  await moveAccount(deps, accountId, refund);
  await moveAccount(deps, accountId, refund);
  expect(await balance()).toBe(9_960);
  const { transactions } = (await load(store, cardAccountKind, cardAccountStream(accountId)))!;
  expect(transactions['p']!.entries.map(({ kind }) => kind)).toEqual(['authorised', 'cleared', 'refunded']);
});

it('two authorisations at once do not spend the same money', async () => {
  const { ask } = await setUp();
  const answers = await Promise.all([ask('a', 6_000), ask('b', 6_000), ask('c', 6_000)]);
  expect(answers.filter(answer => 'approved' in answer && answer.approved)).toHaveLength(1);
});

it('what is decided on stays small however many purchases there were, and forgets none of them', async () => {
  const { store, deps, balance, ask, clear } = await setUp();
  for (let n = 0; n < 150; n++) {
    await ask(`p-${n}`, 3);
    await moveAccount(deps, accountId, clear(`p-${n}`, 3));
  }
  expect(await balance()).toBe(9_960 - 450);
  for (const clock of [twoDaysLater, threeDaysLater])
    await archiveTransactions({ ...deps, clock }, accountId);
  const { transactions } = (await load(store, cardAccountKind, cardAccountStream(accountId)))!;
  expect(Object.keys(transactions)).toEqual([]);

  let read = 0;
  const readStream = store.readStream.bind(store);
  store.readStream = async function* (...args) {
    for await (const event of readStream(...args)) {
      read++;
      yield event;
    }
  };
  expect(await ask('new', 1)).toMatchObject({ approved: true });
  expect(read).toBeLessThan(64);

  await moveAccount(deps, accountId, clear('p-7', 3));
  expect(await ask('p-7', 3, { entryId: 'again' })).toMatchObject({ approved: true });
  expect(await balance()).toBe(9_960 - 450);
});

it('a message that is repeated while its transaction is archived is recorded once', async () => {
  const { store, deps, balance, ask, clear } = await setUp();
  await ask('p', 1_000);
  await moveAccount(deps, accountId, clear('p', 1_000));
  const readStream = store.readStream.bind(store);
  store.readStream = async function* (stream, ...options) {
    yield* readStream(stream, ...options);
    if (stream !== cardTransactionStream(accountId, 'p')) return;
    store.readStream = readStream;
    await archiveTransactions({ ...deps, clock: twoDaysLater }, accountId);
  };
  await moveAccount(deps, accountId, clear('p', 1_000));
  expect(await balance()).toBe(9_960 - 1_000);
});
