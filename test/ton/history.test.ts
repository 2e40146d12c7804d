import { beginCell, comment, external, internal, storeMessage, toNano } from '@ton/core';
import type { TonClient4, WalletContractV5R1 } from '@ton/ton';
import request from 'supertest';
import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { JsonText } from '../../contracts/json/json-text';
import type { StoredTransaction } from '../../contracts/http/history/stored-transaction';
import {
  jettonMaster,
  jettonTransferBody,
  jettonWalletAddress,
  mintBody,
} from '../../infra/devnet/ton/jetton/jetton';
import { localWallet, seqnoOf, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import type { SolanaHistory } from '../../services/history/solana';
import { createTestApp } from '../app';
import { until } from '../until';
import { forget } from '../doubles/watched-accounts';
import { tonTraces } from '../../projections/ton/traces/queries';
import { historyRoutes } from '../../services/history/routes';
import { WATCH_TIMES, type LocalNetwork } from './network';
import { addressOf, friendly, rawOf, startTestnet } from './testnet';
import { watchOf } from '../../infra/program/features/watch/account-watch';

let network: LocalNetwork;
let client: TonClient4;
let alice: LocalWallet;
let bob: LocalWallet;
/** Of the clock that watches go by. */
let aheadMs = 0;

async function history(wallet: LocalWallet, query = ''): Promise<StoredTransaction[]> {
  const { body } = await request(network.app)
    .get(`/transactions/${addressOf(wallet)}${query}`)
    .expect(200);
  return (body as { transactions: StoredTransaction[] }).transactions;
}

/** Resolves once the history of the wallet has every transaction of its chain. */
async function indexed(wallet: LocalWallet): Promise<void> {
  const { last } = await client.getLastBlock();
  const { account } = await client.getAccountLite(last.seqno, wallet.contract.address);
  await history(wallet, `?lt=${account.last!.lt}`);
}

const OWNER = 'So11111111111111111111111111111111111111112';
const solanaItem: EnhancedTransaction = {
  description: '',
  type: 'TRANSFER',
  source: 'SYSTEM_PROGRAM',
  fee: 5_000,
  feePayer: OWNER,
  signature: '1'.repeat(64),
  slot: 7,
  timestamp: 1,
  tokenTransfers: [],
  nativeTransfers: [],
  accountData: [],
  transactionError: null,
  instructions: [],
};
const { signature, slot, timestamp } = solanaItem;
const solanaEntry = {
  signature,
  slot,
  timestamp,
  mints: [],
  item: new JsonText<EnhancedTransaction>(JSON.stringify(solanaItem)),
};
/** A double: one wallet with one transaction. */
const solanaHistory: SolanaHistory = {
  page: async (_network, [address], { before }) =>
    address === OWNER && before.length === 0 ? [solanaEntry] : [],
  sources: () => [],
};

/** The history of both chains, that of Solana a double. */
const historyWithSolana = () => {
  const { engine, logger } = network.deps;
  const watch = watchOf(network.deps);
  const routes = historyRoutes({
    watch,
    logger,
    transactions: network.transactions,
    solana: solanaHistory,
    listWaitMs: 60_000,
    cached: engine.views.cached,
    traces: tonTraces(engine.views),
    cardEvents: async () => async () => ({ events: [], more: false }),
    onShown: () => undefined,
  });
  return createTestApp(routes, { logger });
};

beforeAll(async () => {
  ({ network, client, alice, bob } = await startTestnet({
    watched: false,
    clock: () => new Date(Date.now() + aheadMs),
  }));
});
afterAll(() => network.close());

describe('history of a TON wallet', () => {
  it('backfills an account at its first read', async () => {
    const [gift, ...rest] = await history(alice);
    expect(rest).toEqual([]);
    expect(gift).toMatchObject({
      address: addressOf(alice),
      prevTransaction: { lt: '0' },
      oldStatus: 'non-existing',
      newStatus: 'uninitialized',
      outMessagesCount: 0,
      parsed: {
        kind: 'in',
        amount: '50000000000',
        status: 'success',
        dest: null,
        bounced: false,
        seqno: null,
        body: { type: 'comment', comment: 'Tidemark local faucet' },
      },
      operation: { items: [{ kind: 'ton', amount: '50000000000' }], comment: 'Tidemark local faucet' },
    });
  });

  it('has a transfer on both sides as soon as it is final', async () => {
    await network.watch(rawOf(bob));
    await transfer(client, alice, [
      internal({
        to: bob.contract.address,
        value: toNano('1.5'),
        bounce: false,
        body: comment('за обед 🍜'),
      }),
    ]);
    await Promise.all([indexed(alice), indexed(bob)]);
    const [sent] = await history(alice);
    expect(sent).toMatchObject({
      oldStatus: 'uninitialized',
      newStatus: 'active',
      outMessagesCount: 1,
      inMessage: { info: { type: 'external-in', dest: addressOf(alice), src: null } },
      parsed: {
        kind: 'out',
        amount: '-1500000000',
        seqno: 0,
        dest: addressOf(bob),
        resolvedAddress: addressOf(bob),
        mentioned: [addressOf(bob)],
        body: { type: 'comment', comment: 'за обед 🍜' },
      },
      operation: { address: addressOf(bob), comment: 'за обед 🍜' },
    });
    expect((await history(bob))[0]).toMatchObject({
      parsed: { kind: 'in', amount: '1500000000', resolvedAddress: addressOf(alice) },
    });
  });

  it('has the sequence number that a v4 wallet signed, and its several messages', async () => {
    const values = ['0.1', '0.2', '0.3'].map(toNano);
    await transfer(
      client,
      bob,
      values.map(value => internal({ to: alice.contract.address, value, bounce: false })),
    );
    await transfer(client, bob, [internal({ to: alice.contract.address, value: 1n, bounce: false })]);
    await indexed(bob);
    const [second, first] = await history(bob);
    expect(second!.parsed).toMatchObject({ seqno: 1, amount: '-1', body: null });
    expect(first!.parsed).toMatchObject({ seqno: 0, amount: '-600000000' });
    expect(first!.outMessagesCount).toBe(3);
  });

  it('lists a jetton transfer with the token first, and its receiver', async () => {
    const master = jettonMaster(alice.contract.address, {
      name: 'J',
      symbol: 'J',
      decimals: 9,
      description: '',
      image: '',
    });
    const value = toNano('0.2');
    const mint = mintBody({ to: alice.contract.address, amount: 1_000n, value: toNano('0.1') });
    await transfer(client, alice, [internal({ to: master.address, value, init: master.init, body: mint })]);
    const jettons = jettonWalletAddress(master.address, alice.contract.address);
    const body = jettonTransferBody({
      to: bob.contract.address,
      amount: 250n,
      response: alice.contract.address,
      forwardValue: toNano('0.01'),
      comment: 'jettons for bob',
    });
    await transfer(client, alice, [internal({ to: jettons, value, body })]);
    await Promise.all([indexed(alice), indexed(bob)]);
    const sent = (await history(alice)).find(({ parsed }) => parsed.dest === friendly(jettons))!;
    expect(sent.parsed).toMatchObject({ body: { type: 'payload' }, resolvedAddress: friendly(jettons) });
    expect(sent.operation).toEqual({
      address: addressOf(bob),
      comment: 'jettons for bob',
      items: [
        { kind: 'token', amount: '250', master: friendly(master.address) },
        { kind: 'ton', amount: '-200000000' },
      ],
      op: { res: 'tx.tokenTransfer' },
    });
    expect((await history(bob))[0]!.operation).toEqual({
      address: addressOf(alice),
      comment: 'jettons for bob',
      items: [
        { kind: 'token', amount: '250', master: friendly(master.address) },
        { kind: 'ton', amount: '10000000' },
      ],
      op: { res: 'known.tokenReceived' },
    });
  });

  it('marks what bounced as bounced, and a refused message as failed', async () => {
    const nowhere = jettonWalletAddress(bob.contract.address, bob.contract.address);
    await transfer(client, alice, [
      internal({ to: nowhere, value: toNano('0.5'), bounce: true, body: comment('x') }),
    ]);
    await indexed(alice);
    expect((await history(alice))[0]!.parsed).toMatchObject({
      kind: 'in',
      bounced: true,
      resolvedAddress: friendly(nowhere),
    });
  });

  it('pages with a cursor that repeats the transaction it names', async () => {
    const all = await history(alice);
    const [first, second] = [all.slice(0, 2), all.slice(1, 4)];
    const url = `/transactions/v2/${addressOf(alice)}`;
    const page = await request(network.app).post(url).send({ cursor: {}, limit: 2 }).expect(200);
    expect(page.body).toMatchObject({
      hasMore: true,
      cursor: { ton: { lt: first[1]!.lt, hash: first[1]!.hash } },
    });
    expect(page.body.data).toEqual(first.map(data => ({ type: 'ton', data })));
    const next = await request(network.app)
      .post(url)
      .send({ cursor: page.body.cursor, limit: 3, token: 'ignored', params: { type: 'ton' } })
      .expect(200);
    expect(next.body.data).toEqual(second.map(data => ({ type: 'ton', data })));
    const last = await request(network.app)
      .get(`${url}?lt=${all.at(-1)!.lt}`)
      .expect(200);
    expect(last.body).toEqual({ data: [{ type: 'ton', data: all.at(-1) }], hasMore: false });
  });

  it('merges with the history on Solana in v3, newest first', async () => {
    const app = historyWithSolana();
    const ask = (cursor: object) =>
      request(app)
        .post('/transactions/v3')
        .send({
          account: { tonAddress: addressOf(bob), solanaAddress: OWNER, solanaATAaddress: '' },
          network: 'testnet',
          cursor,
        })
        .expect(200);
    const ofBob = (await history(bob)).map(data => ({ type: 'ton', data }));
    const { body } = await ask({ solana: { before: null } });
    expect(body.data).toEqual([...ofBob, { type: 'solana', data: solanaItem }]);
    expect(body.hasMore).toBe(false);
    const again = await ask(body.cursor);
    expect(again.body.data).toEqual(ofBob.slice(-1));
  });

  it('answers for an account that has no transactions', async () => {
    const stranger = localWallet('nobody', 'v5r1', 'testnet');
    expect(await history(stranger)).toEqual([]);
  });
});

describe('POST /ton/transactions/status/{network}', () => {
  const status = async (txHash: string, at = 'testnet') =>
    (await request(network.app).post(`/ton/transactions/status/${at}`).send({ txHash }).expect(200)).body;

  it('finds a transaction by the hash of the message that the wallet sent', async () => {
    const { contract, keys } = alice;
    const order = {
      seqno: await seqnoOf(client, contract),
      secretKey: keys.secretKey,
      sendMode: 3,
      timeout: 0xffff_ffff,
      messages: [internal({ to: bob.contract.address, value: 5n, bounce: false })],
    };
    const body = (contract as WalletContractV5R1).createTransfer(order);
    const message = beginCell()
      .store(storeMessage(external({ to: contract.address, body })))
      .endCell();
    const sent = message.hash().toString('hex');
    expect(await status(sent)).toEqual({ found: false, inProgress: true, status: 'processing' });
    await client.sendMessage(message.toBoc());
    await until(async () => (await seqnoOf(client, contract)) > order.seqno);
    await indexed(alice);
    await until(async () => !(await status(sent)).inProgress);
    const [newest] = await history(alice);
    const found = {
      found: true,
      inProgress: false,
      status: 'confirmed',
      lt: newest!.lt,
      hash: newest!.hash,
      timestamp: newest!.time,
      success: true,
    };
    expect(await status(sent)).toEqual(found);
    expect(await status(message.hash().toString('base64'))).toEqual(found);
    expect(await status(message.hash().toString('base64url'))).toEqual(found);
    expect(await status(newest!.hash)).toEqual(found);
    expect(await status(sent, 'mainnet')).toMatchObject({ found: false });
  });

  it('refuses what is not a hash, naming the field', async () => {
    const { body } = await request(network.app)
      .post('/ton/transactions/status/testnet')
      .send({ txHash: 'zz' })
      .expect(400);
    expect(body.errors).toEqual([expect.objectContaining({ pointer: '/body/txHash' })]);
  });
});

describe('an account that nobody has read for long', () => {
  it('is forgotten, and has its history whole again when it is read', async () => {
    const carol = localWallet('carol of history', 'v4r2', 'testnet');
    const gift = (): Promise<unknown> => network.devnet.faucet(rawOf(carol), toNano(1));
    const lts = async (): Promise<string[]> => (await history(carol)).map(({ lt }) => lt);
    for (let n = 0; n < 3; n++) await gift();
    await until(async () => (await lts()).length === 3);

    aheadMs += WATCH_TIMES.expireAfterMs;
    const now = new Date(Date.now() + aheadMs);
    await forget(network.engines, { chain: 'ton', network: 'testnet', address: rawOf(carol) }, now);
    for (let n = 0; n < 3; n++) await gift();
    await indexed(alice);
    expect((await network.transactions.account('testnet', rawOf(carol)))!.knownSince(2)).toBeNull();

    // Waits for the backfill, and neither shows the old page as the whole nor one with a gap.
    const found = await history(carol);
    expect(found).toHaveLength(6);
    found.slice(1).forEach(({ lt }, n) => expect(found[n]!.prevTransaction.lt).toBe(lt));
    await gift();
    await until(async () => (await lts()).length === 7);
  });
});

describe('what history refuses', () => {
  const get = (path: string) => request(network.app).get(path);

  it.each([
    ['/transactions/nonsense', '/path/address'],
    ['/transactions/0:00', '/path/address'],
    [`/transactions/0:${'0'.repeat(64)}?limit=101`, '/query/limit'],
    [`/transactions/0:${'0'.repeat(64)}?limit=0`, '/query/limit'],
    [`/transactions/v2/0:${'0'.repeat(64)}?lt=-1`, '/query/lt'],
  ])('GET %s', async (path, pointer) => {
    const { body } = await get(path).expect(400);
    expect(body.errors).toEqual([expect.objectContaining({ pointer })]);
  });

  it('a test-only address together with mainnet', async () => {
    const { body } = await request(network.app)
      .post('/transactions/v3')
      .send({ account: { tonAddress: addressOf(alice), solanaAddress: '' }, network: 'mainnet', cursor: {} })
      .expect(400);
    expect(body).toMatchObject({ code: 'network_mismatch', errors: [{ pointer: '/body/network' }] });
  });

  it('a limit that is not a number', async () => {
    const { body } = await request(network.app)
      .post('/transactions/v3')
      .send({ account: { tonAddress: addressOf(alice), solanaAddress: '' }, network: 'testnet', limit: '5' })
      .expect(400);
    expect(body.errors).toEqual([expect.objectContaining({ pointer: '/body/limit' })]);
  });
});
