import { cardStream } from '../../contracts/events/card';
import { cardUserId, cardUserStream } from '../../contracts/events/card-user';
import { cardAccountId, type CardAmounts } from '../../contracts/events/card-account';
import { card } from '../../infra/program/features/card';
import { cardAccounts } from '../../infra/program/features/card/accounts';
import { solana } from '../../infra/program/features/solana';
import { ton } from '../../infra/program/features/ton';
import { watch } from '../../infra/program/features/watch';
import { authorise, moveAccount, type CardMovement } from '../../services/card/account/commands';
import { findCardAccountsOf } from '../../projections/card/accounts';
import { load } from '../../services/commands/load';
import { cardKind } from '../../services/card/card/decider';
import { changeCard } from '../../services/card/card/commands';
import { cardUserKind, type CardUserCommand } from '../../services/card/user/decider';
import { openPersonalTexts, openSubjectKeysOf } from '../../infra/program/personal-texts';
import { erase } from '../../services/erasure/erase';
import { accountList } from '../../services/card/list/account-list';
import { eventList } from '../../services/card/history/event-list';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { cardClient, keysOf, type Answer } from './holder';

let program: TestProgram;
let client: ReturnType<typeof cardClient>;
let now = Date.now();

beforeAll(async () => {
  program = await startTestProgram({
    features: [card, cardAccounts, watch],
    beside: [ton, solana],
    settings: { CARD_SANDBOX: 'true', CARD_CURRENCY: 'EUR' },
    clock: () => new Date(now),
  });
  client = cardClient(`${await program.listen()}/card`);
});
afterAll(() => program.stop());

const statusOf = ({ status, body }: Answer) => `${status} ${String(body['code'] ?? '')}`.trim();
const metadata = () => ({ now: new Date(now).toISOString(), actor: 'issuer' });
const userIdOf = (name: string) => cardUserId('mainnet', keysOf(name).publicKey.toString('hex'));

interface Account {
  readonly id: string;
  readonly balance: string;
  readonly cards: readonly { readonly id: string; readonly status: string }[];
  readonly [field: string]: unknown;
}

/** Somebody who is identified, with an account on TON that has 10 TON. */
async function holder(name: string) {
  const token = await client.enrol(keysOf(name));
  const userId = userIdOf(name);
  const decide = (command: object) =>
    program.deps.handle(cardUserKind, cardUserStream(userId), {
      ...command,
      metadata: metadata(),
    } as CardUserCommand);
  const post = async (path: string, body: object = {}) => {
    await program.projected();
    return client.post(path, { token, ...body });
  };
  for (const kind of ['phone', 'email']) {
    const value = kind === 'phone' ? '+4930123456' : 'alice@example.com';
    const { body } = await post(`/v2/user/${kind}/start`, { [kind]: value });
    await post(`/v2/user/${kind}/confirm`, { code: (body['sandbox'] as { code: string }).code });
  }
  await decide({ type: 'start_kyc' });
  await decide({ type: 'decide_kyc', result: 'GREEN', decidedAt: metadata().now, profile: null });
  const accounts = async () => (await post('/v2/account/list')).body['list'] as Account[];
  await until(async () => (await accounts()).length === 2);
  const accountId = cardAccountId(userId, 'ton');
  const topUp: CardMovement = {
    type: 'topUp',
    transactionId: 'top-up/1',
    entryId: '1',
    cardId: null,
    amount: '10000000000',
    chain: { account: { chain: 'ton', network: 'mainnet', address: '0:1' }, hash: '1', lt: '1' },
    occurredAt: metadata().now,
    metadata: metadata(),
  };
  await moveAccount(deps(), accountId, topUp);
  return { token, userId, accountId, post, accounts, decide };
}

const deps = () => ({ store: program.deps.engines.store, handle: program.deps.handle });
/** One euro is 0.25 TON. */
const amounts = (fiat: string, merchant = { amount: fiat, currency: 'EUR' }): CardAmounts => ({
  merchant,
  fiat: { amount: fiat, currency: 'EUR' },
  rate: { units: '2500000', per: '1' },
});

/** A card that the issuer has made. */
async function cardOf({ post, accountId }: Awaited<ReturnType<typeof holder>>, key = 'first') {
  const ordered = await post('/v2/card/order', { accountId, key });
  const { id } = ordered.body['card'] as { id: string };
  const paid = await post('/v2/card/pay', { id });
  await changeCard(deps(), id, {
    type: 'recordIssued',
    issuerCardId: `issuer/${id}`,
    lastFourDigits: '4242',
    metadata: metadata(),
  });
  return { id, ordered, paid };
}
const purchase = (
  cardId: string,
  transactionId: string,
  fiat: string,
  merchant?: CardAmounts['merchant'],
) => ({
  cardId,
  transactionId,
  entryId: `${transactionId}/1`,
  occurredAt: metadata().now,
  amounts: amounts(fiat, merchant),
  merchant: null,
  metadata: metadata(),
  isIncrement: false,
});
const ask = async (...[cardId, ...terms]: Parameters<typeof purchase>) =>
  authorise(
    deps(),
    (await load(program.deps.engines.store, cardKind, cardStream(cardId)))!,
    purchase(cardId, ...terms),
  );

it('a wallet that enrols gets an account on each chain, which can be topped up at an address of its own', async () => {
  const { accounts } = await holder('anna');
  const [first, second] = await accounts();
  expect(first).toMatchObject({
    type: 'crypto',
    network: 'ton-mainnet',
    accountIndex: 0,
    state: 'ACTIVE',
    cards: [],
    cryptoCurrency: { decimals: 9, ticker: 'TON' },
    address: expect.stringMatching(/^UQ/),
  });
  expect(second).toMatchObject({ network: 'solana', accountIndex: 1, balance: '0' });
  expect(first!['address']).not.toBe(first!['ownerAddress']);
});

it('a card is ordered once with a key, paid for from the account, and shown', async () => {
  const anna = await holder('bella');
  const { id, ordered, paid } = await cardOf(anna);
  expect([ordered, paid].map(({ body }) => (body['card'] as { status: string }).status)).toEqual([
    'WAITING_FOR_PAYMENT',
    'PENDING_CARD_ISSUE',
  ]);
  const again = await anna.post('/v2/card/order', { accountId: anna.accountId, key: 'first' });
  expect((again.body['card'] as { id: string }).id).toBe(id);
  await anna.post('/v2/card/pay', { id });
  const [account] = await anna.accounts();
  expect(account).toMatchObject({
    balance: '9500000000',
    cards: [{ id, status: 'ACTIVE', lastFourDigits: '4242', kind: 'virtual' }],
  });
  const got = await anna.post('/card/get', { id });
  expect(got.body['config']).toMatchObject({ id, state: 'ACTIVE', balance: '9500000000' });
});

describe('a card that is never issued costs nothing', () => {
  const balanceOf = async ({ accounts }: Awaited<ReturnType<typeof holder>>) =>
    (await accounts())[0]!.balance;
  const order = async ({ post, accountId }: Awaited<ReturnType<typeof holder>>) => {
    const { body } = await post('/v2/card/order', { accountId, key: 'first' });
    return (body['card'] as { id: string }).id;
  };

  it('as the issuer does not make it', async () => {
    const holding = await holder('rosa');
    const id = await order(holding);
    await holding.post('/v2/card/pay', { id });
    expect(await balanceOf(holding)).toBe('9500000000');
    for (const _ of [1, 2])
      await changeCard(deps(), id, { type: 'recordIssuingFailed', reason: 'country', metadata: metadata() });
    await until(async () => (await balanceOf(holding)) === '10000000000');
    const { body } = await holding.post('/v2/card/events', { cardId: id, limit: 3 });
    expect((body['data'] as { events: object[] }).events).toMatchObject([
      { type: 'deposit', cardId: id, data: { amount: '500000000' } },
      { type: 'contract_closed', cardId: id },
      { type: 'card_paid', data: { amount: '500000000' } },
    ]);
  });

  it.each(['before', 'after'])(
    'as it was closed %s its fee was charged, and the issuer was not asked for it',
    async when => {
      const holding = await holder(`sara ${when}`);
      const id = await order(holding);
      const close = () => holding.post('/v2/card/close', { id });
      if (when === 'before') await close();
      // The program is killed then.
      await moveAccount(deps(), holding.accountId, {
        type: 'chargeFee',
        transactionId: `card/${id}`,
        entryId: `card/${id}`,
        cardId: id,
        amount: '500000000',
        occurredAt: metadata().now,
        metadata: metadata(),
      });
      if (when === 'after') await close();
      const returned = async () => {
        const { body } = await holding.post('/v2/card/events', { cardId: id, limit: 1 });
        return (body['data'] as { events: { type: string; cardId: string }[] }).events[0]!;
      };
      await until(async () => (await returned()).type === 'deposit' && (await returned()).cardId === id);
      expect(await balanceOf(holding)).toBe('10000000000');
    },
  );

  it('and one that was issued costs its fee, also once it is closed', async () => {
    const holding = await holder('tina');
    const { id } = await cardOf(holding);
    await holding.post('/v2/card/close', { id });
    const queue = 'card-fee-returns';
    const { jobs } = program.deps.engines;
    await jobs.add({ queue, id: 'again', data: { cardId: id } });
    await until(async () => {
      const { waiting, running } = await jobs.counts(queue);
      return waiting + running === 0;
    });
    expect(await balanceOf(holding)).toBe('9500000000');
  });
});

it('a purchase is shown with its three amounts, and the balance without what is held', async () => {
  const holding = await holder('clara');
  const { id } = await cardOf(holding);
  expect(await ask(id, 'p-1', '1000', { amount: '1650', currency: 'JPY' })).toMatchObject({ approved: true });
  expect(await ask(id, 'p-2', '100000')).toMatchObject({ reason: 'insufficient_funds' });
  const clearing: CardMovement = {
    ...purchase(id, 'p-1', '1000'),
    type: 'recordCleared',
    entryId: 'p-1/2',
    ofAuthorisation: '1000',
    final: true,
    forced: false,
    interchange: null,
  };
  await moveAccount(deps(), holding.accountId, clearing);
  await moveAccount(deps(), holding.accountId, {
    ...clearing,
    transactionId: 'p-3',
    entryId: 'p-3/1',
    amounts: amounts('4000'),
    forced: true,
  });
  expect((await holding.accounts())[0]).toMatchObject({
    balance: '0',
    totalDebtCryptoAmountNano: '3000000000',
    limits: { dailySpent: '2500000000', monthlySpent: '2500000000' },
  });
  const { body } = await holding.post('/v2/card/events', { cardId: id, limit: 2, order: 'asc' });
  const { events, more, cursor } = body['data'] as { events: object[]; more: boolean; cursor: string };
  expect(events).toMatchObject([
    { type: 'deposit', cardId: id, data: { amount: '10000000000' } },
    { type: 'card_paid', data: { amount: '500000000' } },
  ]);
  expect(more).toBe(true);
  const next = await holding.post('/v2/card/events', { cardId: id, limit: 9, order: 'asc', cursor });
  expect(next.body['data']).toMatchObject({
    more: false,
    events: [
      { type: 'card_ready' },
      {
        type: 'charge',
        data: {
          amount: '2500000000',
          currency: 'EUR',
          currencyAmount: '10.00',
          ref: 'p-1',
          txnCurrency: 'JPY',
          txnCurrencyAmount: '1650',
        },
      },
      { type: 'charge_failed', data: { reason: { type: 'insufficient_funds' } } },
      { type: 'charge', data: { amount: '10000000000', ref: 'p-3' } },
    ],
  });
});

it.each(['recordVoided', 'recordExpired'] as const)(
  'a purchase that has come to nothing is shown as given back, and as a charge should it be cleared all the same: %s',
  async type => {
    const holding = await holder(`uma ${type}`);
    const { id } = await cardOf(holding);
    expect(await ask(id, 'p-1', '1000')).toMatchObject({ approved: true });
    const about = { ...purchase(id, 'p-1', '1000'), entryId: 'p-1/2' };
    for (const _ of [1, 2]) await moveAccount(deps(), holding.accountId, { ...about, type } as CardMovement);
    const last = async (limit: number) => {
      const { body } = await holding.post('/v2/card/events', { cardId: id, limit });
      return (body['data'] as { events: object[] }).events;
    };
    const shown = { amount: '2500000000', currency: 'EUR', currencyAmount: '10.00', ref: 'p-1' };
    expect(await last(3)).toMatchObject([
      { type: 'charge_back', data: { ...shown, action: 'purchase' } },
      { type: 'charge', data: shown },
      { type: 'card_ready' },
    ]);
    await moveAccount(deps(), holding.accountId, {
      ...about,
      type: 'recordCleared',
      entryId: 'p-1/3',
      ofAuthorisation: '1000',
      final: true,
      forced: false,
      interchange: null,
    });
    expect(await last(2)).toMatchObject([{ type: 'charge', data: shown }, { type: 'charge_back' }]);
  },
);

it('a purchase of which the issuer says first that it was voided is not shown', async () => {
  const holding = await holder('vera');
  const { id } = await cardOf(holding);
  const about = purchase(id, 'p-1', '1000');
  for (const type of ['recordVoided', 'recordAuthorised', 'recordReversed'] as const)
    await moveAccount(deps(), holding.accountId, { ...about, entryId: type, type } as CardMovement);
  const { body } = await holding.post('/v2/card/events', { cardId: id, limit: 9 });
  const { events } = body['data'] as { events: { type: string }[] };
  expect(events.map(({ type }) => type)).toEqual(['card_ready', 'card_paid', 'deposit']);
});

it('a cursor that is an order is the first page, another one is refused', async () => {
  const holding = await holder('dora');
  const { id } = await cardOf(holding);
  const typesOf = async (rest: object) => {
    const { status, body } = await holding.post('/v2/card/events', { cardId: id, limit: 10, ...rest });
    if (status !== 200) return status;
    return (body['data'] as { events: { type: string }[] }).events.map(({ type }) => type);
  };
  const oldest = ['deposit', 'card_paid', 'card_ready'];
  expect(await typesOf({ cursor: 'desc' })).toEqual(oldest.toReversed());
  expect(await typesOf({ cursor: 'asc' })).toEqual(oldest);
  expect(await typesOf({ cursor: 'next' })).toBe(400);
});

it('a card that is frozen declines from the moment it is asked for', async () => {
  const holding = await holder('emma');
  const { id } = await cardOf(holding);
  const frozen = await holding.post('/v2/card/freeze', { id });
  expect(frozen.body['card']).toMatchObject({ status: 'PENDING_FREEZE' });
  expect(await ask(id, 'p-1', '100')).toMatchObject({ approved: false, reason: 'card_frozen' });
  const unfrozen = await holding.post('/v2/card/unfreeze', { id });
  expect(unfrozen.body['card']).toMatchObject({ status: 'PENDING_UNFREEZE' });
  expect((await holding.post('/v2/card/close', { id })).body['card']).toMatchObject({ status: 'CLOSED' });
  expect(statusOf(await holding.post('/v2/card/freeze', { id }))).toBe('409 card_state');
});

it('public accounts tell nobody anything', async () => {
  const address = (await (await holder('ida')).accounts())[0]!['ownerAddress'];
  const asked = { walletKind: 'tonhub', network: 'ton-mainnet', address };
  expect((await client.post('/v2/public/accounts', asked)).body).toEqual({ ok: true, accounts: [] });
});

it('who is not identified orders nothing, and who is suspended neither', async () => {
  const token = await client.enrol(keysOf('julia'));
  const order = { token, accountId: cardAccountId(userIdOf('julia'), 'ton'), key: 'k' };
  expect(statusOf(await client.post('/v2/card/order', order))).toBe('409 card_step_missing');
  const holding = await holder('karla');
  const { id } = await cardOf(holding);
  const reason = { subject: holding.userId, ciphertext: `v2.key.AAAA.${'A'.repeat(43)}` };
  await holding.decide({ type: 'suspend', reason });
  const { accountId } = holding;
  expect(await ask(id, 'p-1', '1')).toMatchObject({ approved: false, reason: 'user_suspended' });
  expect(statusOf(await holding.post('/v2/card/order', { accountId, key: 'k' }))).toBe(
    '403 card_user_suspended',
  );
});

it('an account that is not empty is not closed', async () => {
  const holding = await holder('lena');
  const close = () => holding.post('/v2/account/close', { id: holding.accountId });
  expect(statusOf(await close())).toBe('409 card_account_not_empty');
  const solanaAccount = { id: cardAccountId(holding.userId, 'solana') };
  const closed = await holding.post('/v2/account/close', solanaAccount);
  expect(closed.body['account']).toMatchObject({ state: 'MANUALLY_CLOSED' });
});

it('where a card of plastic is sent is encrypted, and shown to its holder alone', async () => {
  const holding = await holder('maria');
  const delivery = {
    countryCode: 'DE',
    address: 'Unter den Linden 1',
    phone: '+4930123456',
    email: 'm@example.com',
  };
  const ordered = await holding.post('/v2/card/order', { accountId: holding.accountId, key: 'p', delivery });
  const { id } = ordered.body['card'] as { id: string };
  await holding.post('/v2/card/pay', { id });
  expect((await holding.accounts())[0]!.cards).toMatchObject([
    { id, kind: 'plastic', delivery: { ...delivery, status: 'ORDERED', deliveryMethod: 'standard' } },
  ]);
  for await (const event of program.deps.engines.store.readStream(`card-${id}`))
    expect(JSON.stringify(event)).not.toContain('Linden');
});

it('what somebody has is read and put together once, until it changes', async () => {
  const holding = await holder('nina');
  const { id } = await cardOf(holding);
  await holding.accounts();
  const { config, engines, engine } = program.deps;
  const texts = await openPersonalTexts(config, engines);
  const list = async () =>
    accountList(
      { views: engine.views, texts, clock: () => new Date(now) },
      holding.userId,
      await findCardAccountsOf(engine.views, holding.userId),
    );
  expect(await list()).toBe(await list());
  expect(await ask(id, 'p-1', '100')).toMatchObject({ approved: true });
  expect((await holding.accounts())[0]).toMatchObject({ balance: '9250000000' });
  await holding.post('/v2/card/freeze', { id });
  expect((await holding.accounts())[0]!.cards).toMatchObject([{ status: 'PENDING_FREEZE' }]);
});

it('what happened to a card is put together once, until something of its holder happens', async () => {
  const [holding, other] = [await holder('petra'), await holder('quentin')];
  const [card, otherCard] = [await cardOf(holding), await cardOf(other)];
  await program.projected();
  const { views } = program.deps.engine;
  const { userId, accountId } = holding;
  const listed = async () => {
    await program.projected();
    return eventList({ views }, { userId, accountId, cardId: card.id }, { limit: 20 });
  };
  const before = await listed();
  expect(await ask(otherCard.id, 'p-1', '100')).toMatchObject({ approved: true });
  expect(await listed()).toBe(before);
  expect(await ask(card.id, 'p-2', '100')).toMatchObject({ approved: true });
  expect((await listed()).data.events[0]).toMatchObject({ type: 'charge', data: { ref: 'p-2' } });
});

it('where a card is sent is not shown once it was erased, whatever was shown before', async () => {
  const holding = await holder('olga');
  const delivery = {
    countryCode: 'DE',
    address: 'Unter den Linden 1',
    phone: '+4930123456',
    email: 'o@example.com',
  };
  const ordered = await holding.post('/v2/card/order', { accountId: holding.accountId, key: 'p', delivery });
  await holding.post('/v2/card/pay', { id: (ordered.body['card'] as { id: string }).id });
  const shown = async () => (await holding.accounts())[0]!.cards;
  for (let time = 0; time < 2; time++) expect(await shown()).toMatchObject([{ delivery }]);
  const { config, engines, handle } = program.deps;
  const keys = await openSubjectKeysOf(config, engines);
  expect(await erase({ keys, handle }, holding.userId, metadata())).toBe('erased');
  expect(await shown()).toMatchObject([{ delivery: { countryCode: 'DE', address: '', phone: '' } }]);
});

// The last ones: proofs of wallets that enrol later would be too old.
it('limits that are lower hold at once, higher ones after an hour', async () => {
  const holding = await holder('fiona');
  const { id } = await cardOf(holding);
  const change = (daily: string) =>
    holding.post('/v2/account/limits', {
      id: holding.accountId,
      limits: { onetime: daily, daily, monthly: daily },
    });
  const limitOf = ({ body }: Answer) => (body['account'] as { limits: { daily: string } }).limits.daily;
  expect(limitOf(await change('100'))).toBe('100');
  expect(await ask(id, 'p-1', '1')).toMatchObject({ reason: 'limit_onetime' });
  expect(limitOf(await change('9000000'))).toBe('100');
  expect((await holding.accounts())[0]).toMatchObject({ limits: { daily: '100' } });
  now += 3_600_000;
  expect((await holding.accounts())[0]).toMatchObject({ limits: { daily: '9000000' } });
  expect(await ask(id, 'p-2', '1')).toMatchObject({ approved: true });
  const contradicting = { id: holding.accountId, limits: { onetime: '2', daily: '1', monthly: '1' } };
  expect(statusOf(await holding.post('/v2/account/limits', contradicting))).toBe('400 card_limits_invalid');
});

it('what was spent in a day is shown as nothing on the next one, although nothing has happened', async () => {
  now -= 3_600_000;
  const holding = await holder('paula');
  const { id } = await cardOf(holding);
  expect(await ask(id, 'p-1', '100')).toMatchObject({ approved: true });
  const limits = async () => (await holding.accounts())[0]!['limits'] as Record<string, unknown>;
  const { dailyDeadline, dailySpent } = await limits();
  expect(dailySpent).toBe('250000000');
  now = dailyDeadline as number;
  expect(await limits()).toMatchObject({ dailySpent: '0', dailyDeadline: now + 86_400_000 });
});
