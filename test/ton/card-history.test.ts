import { toNano } from '@ton/core';
import request from 'supertest';
import type { TonPageV2 } from '../../contracts/http/history/history';
import { cardTokenStream } from '../../contracts/events/card-token';
import { card } from '../../infra/program/features/card';
import { cardAccounts } from '../../infra/program/features/card/accounts';
import type { LocalWallet } from '../../infra/devnet/ton/wallets';
import { moveAccount } from '../../services/card/account/commands';
import { cardTokenKind } from '../../services/card/tokens/decider';
import { digestOfToken } from '../../services/card/tokens/digest';
import { openedAccount } from '../card/top-ups';
import { until } from '../until';
import { addressOf, rawOf, startTestnet, type Testnet } from './testnet';
import '../starts-programs';

let testnet: Testnet;
let alice: Awaited<ReturnType<typeof holder>>;
let bob: Awaited<ReturnType<typeof holder>>;

beforeAll(async () => {
  testnet = await startTestnet({
    watched: true,
    features: [card, cardAccounts],
    settings: { CARD_SANDBOX: 'true' },
  });
  for (let n = 0; n < 4; n++) await testnet.network.devnet.faucet(rawOf(testnet.alice), toNano(1));
  alice = await holder(testnet.alice, 'a1');
  bob = await holder(testnet.bob, 'b0');
});
afterAll(() => testnet?.network.close());

/** Somebody with an account, and a token. */
async function holder(wallet: LocalWallet, key: string) {
  const { deps } = testnet.network;
  const opened = await openedAccount(
    deps,
    'testnet',
    { chain: 'ton', address: rawOf(wallet) },
    key.repeat(32),
  );
  const token = `token-of-${key}`;
  const digest = digestOfToken(token);
  await deps.handle(cardTokenKind, cardTokenStream(digest), {
    type: 'issue',
    digest,
    userId: opened.userId,
    network: 'testnet',
    epoch: 0,
    source: 'test',
    metadata: { now: deps.clock().toISOString(), actor: opened.userId },
  });
  return { ...opened, token, wallet };
}

/** Records that an account was topped up then. @param at Unix ms */
async function topUp({ accountId }: { readonly accountId: string }, at: number): Promise<void> {
  const { deps, engines } = testnet.network;
  const [id, occurredAt] = [`top-up/${at}`, new Date(at).toISOString()];
  await moveAccount({ handle: deps.handle, store: engines.store }, accountId, {
    type: 'topUp',
    transactionId: id,
    entryId: id,
    cardId: null,
    amount: '1',
    occurredAt,
    chain: { account: { chain: 'ton', network: 'testnet', address: '0:1' }, hash: id, lt: '1' },
    metadata: { now: occurredAt, actor: 'test' },
  });
}

const ask = (wallet: LocalWallet, body: object) =>
  request(testnet.network.app)
    .post(`/transactions/v2/${addressOf(wallet)}`)
    .send(body);
async function read(wallet: LocalWallet, body: object): Promise<TonPageV2> {
  const response = await ask(wallet, body).expect(200);
  return response.body as TonPageV2;
}
type Item = TonPageV2['data'][number];
const isCard = ({ type }: Item) => type === 'holders';
const timeOf = ({ type, data }: Item): number =>
  type === 'holders' ? data.time : (data as { time: number }).time * 1_000;

it('the events of a card holder are among the transactions of its wallet, by their time', async () => {
  const { data: chain } = await until(
    () => read(testnet.alice, { limit: 100 }),
    ({ data }) => data.length === 5,
  );
  const [first, last] = [timeOf(chain.at(-1)!), timeOf(chain[0]!)];
  // The issuer says some of them late.
  const times = [last + 1_500, first - 9_000, last + 900, first - 500, first - 8_999];
  for (const at of times) await topUp(alice, at);
  await topUp(bob, last);
  const projected = await untilCards(alice, 5);
  expect(projected.filter(isCard).map(timeOf)).toEqual([...times].sort((one, other) => other - one));
  expect(projected.map(timeOf)).toEqual(projected.map(timeOf).sort((one, other) => other - one));
  expect(projected.filter(item => !isCard(item))).toEqual(chain);
  expect(projected[0]).toEqual({
    type: 'holders',
    data: {
      id: expect.any(String),
      type: 'deposit',
      time: last + 1_500,
      data: {
        accountId: alice.accountId,
        amount: '1',
        chainTx: expect.objectContaining({ lt: '1', network: 'ton-testnet' }),
      },
    },
  });

  for (const limit of [2, 3, 4]) {
    const pages: Item[] = [];
    let cursor: TonPageV2['cursor'] = {};
    while (cursor) {
      const page: TonPageV2 = await read(testnet.alice, { token: alice.token, cursor, limit });
      // The transaction that the cursor names is repeated, as without a token.
      const repeated = pages.findLast(item => !isCard(item));
      pages.push(...page.data.filter(item => JSON.stringify(item) !== JSON.stringify(repeated)));
      cursor = page.cursor;
    }
    expect(pages).toEqual(projected);
  }
});

/** The history of somebody once it has so many card events. */
async function untilCards({ wallet, token }: typeof alice, events: number): Promise<readonly Item[]> {
  const history = await until(
    () => read(wallet, { token, limit: 100 }),
    ({ data }) => data.filter(isCard).length === events,
  );
  return history.data;
}

it('another token than that of the holder shows nothing of the holder', async () => {
  const ownOnly = await read(testnet.alice, { limit: 100 });
  expect(await read(testnet.alice, { token: bob.token, limit: 100 })).toEqual(ownOnly);
  const params = { accountIds: [alice.accountId] };
  const ofBob = await read(testnet.bob, { token: bob.token, params, limit: 100 });
  expect(ofBob.data.filter(isCard)).toEqual([]);
  for (const token of ['token-of-nobody', 'x'.repeat(43)]) {
    const { body } = await ask(testnet.alice, { token }).expect(401);
    expect(body).toMatchObject({ code: 'card_token_invalid' });
  }
});

it('params select card events', async () => {
  const all = await untilCards(alice, 5);
  const [newest, oldest] = [0, -1].map(index => all.filter(isCard).at(index)!);
  const cardsOf = async (params: object) =>
    (await read(testnet.alice, { token: alice.token, params, limit: 100 })).data.filter(isCard);
  expect(await cardsOf({ accountIds: [alice.accountId], cardIds: [] })).toEqual(all.filter(isCard));
  expect(await cardsOf({ accountIds: [bob.accountId], cardIds: [] })).toEqual([]);
  expect(await cardsOf({ cardIds: ['nothing'] })).toEqual([]);
  expect(await cardsOf({ type: 'ton' })).toEqual([]);
  expect(await cardsOf({ from: String(timeOf(newest!)) })).toEqual([newest]);
  expect(await cardsOf({ to: new Date(timeOf(oldest!)).toISOString() })).toEqual([oldest]);
  expect(await read(testnet.alice, { token: alice.token, params: { type: 'solana' } })).toEqual({
    data: [],
    hasMore: false,
  });
});

it.each([
  ['token', { token: '' }],
  ['cursor/holders/fromCursor', { token: 't', cursor: { holders: { fromCursor: '7' } } }],
  ['params/from', { token: 't', params: { from: 'yesterday' } }],
  ['params/cardIds', { token: 't', params: { cardIds: Array(101).fill('c') } }],
])('a wrong %s is refused by its name', async (field, body) => {
  const { body: problem } = await ask(testnet.alice, body).expect(400);
  expect(JSON.stringify(problem)).toContain(`/body/${field}`);
});
