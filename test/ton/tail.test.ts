import { beginCell } from '@ton/core';
import { WrongNetwork } from '../../contracts/network/wrong-network';
import { createTonIndexer } from '../../indexers/ton/indexer';
import { until } from '../until';
import { Indexing } from './indexing';
import { accountAt, HALVES, ScriptedChain, valueMessage, WHOLE } from './scripted-chain';

const [A, B, C] = [accountAt(1), accountAt(2), accountAt(3)] as const;
const UNWATCHED = accountAt(9);

async function following(chain: ScriptedChain, ...accounts: string[]): Promise<Indexing> {
  const indexing = new Indexing(chain);
  for (const account of accounts) await indexing.watch(account);
  void indexing.start();
  for (const account of accounts) await indexing.untilFollowed(account);
  return indexing;
}

let indexing: Indexing;
afterEach(() => indexing.stop());

describe('the tail of a TON network', () => {
  it('publishes the transactions of watched accounts only, in the order of logical time', async () => {
    const chain = new ScriptedChain();
    indexing = await following(chain, A, B);
    chain.mine({ accounts: [A, UNWATCHED, B, A] });
    chain.mine();
    chain.mine({ accounts: [B, A] });
    await indexing.untilAt(chain.tip);
    expect(indexing.transactions.map(({ account, seqno }) => [account, seqno])).toEqual([
      [A, 2],
      [B, 2],
      [A, 2],
      [B, 4],
      [A, 4],
    ]);
    expect(indexing.published(A)).toEqual(chain.ltsOf(A));
    expect(indexing.indexer.status()).toEqual({ tip: 4, indexedHeight: 4, lag: 0, gap: null });
  });

  it('publishes every account when its scope is all', async () => {
    const chain = new ScriptedChain();
    indexing = new Indexing(chain, { scope: 'all' });
    void indexing.start();
    await indexing.untilAt(1);
    chain.mine({ accounts: [A, UNWATCHED] });
    await indexing.untilAt(2);
    expect(indexing.transactions.map(({ account }) => account)).toEqual([A, UNWATCHED]);
  });

  it('reports what its blocks list of all accounts, and again where it could not store that it has', async () => {
    const chain = new ScriptedChain();
    const reported: (readonly [number, readonly (readonly [string, number])[]])[] = [];
    let isBroken = true;
    indexing = new Indexing(chain, {
      async onPublished(blocks) {
        reported.push(...blocks.map(({ seqno, transactions }) => [seqno, [...transactions]] as const));
        if (isBroken) throw new Error('killed');
      },
    });
    void indexing.start();
    await indexing.untilAt(1);
    chain.mine({ accounts: [UNWATCHED, A, UNWATCHED] });
    const block = [
      2,
      [
        [UNWATCHED, 2],
        [A, 1],
      ],
    ] as const;
    await until(() => reported.length > 1);
    isBroken = false;
    await indexing.untilAt(2);
    expect(reported.slice(0, 2)).toEqual([block, block]);
    expect(indexing.transactions).toEqual([]);
  });

  it('reports what followed accounts have received from whom', async () => {
    const chain = new ScriptedChain();
    const reported: unknown[] = [];
    indexing = new Indexing(chain, {
      async onPublished(blocks) {
        reported.push(...blocks.map(({ seqno, received }) => [seqno, received]));
      },
    });
    await indexing.watch(A);
    void indexing.start();
    await indexing.untilFollowed(A);
    const from = (account: string, src: string) => ({
      account,
      received: valueMessage(src, account, 5n),
      sendsTo: [],
    });
    chain.mine({ accounts: [from(A, B), from(UNWATCHED, A), A] });
    await indexing.untilAt(2);
    expect(reported).toEqual([[2, [{ from: B, to: A }]]]);
  });

  it('resumes where it stopped', async () => {
    const chain = new ScriptedChain();
    indexing = await following(chain, A);
    chain.mine({ accounts: [A] });
    await indexing.untilAt(2);
    await indexing.stop();
    for (let n = 0; n < 50; n++) chain.mine({ accounts: [A] });
    void indexing.start();
    await indexing.untilAt(chain.tip);
    expect(indexing.published(A)).toEqual(chain.ltsOf(A));
  });

  it('notices a fork that is longer again by the time the source is read', async () => {
    const [chain, branch] = [new ScriptedChain(), new ScriptedChain('branch')];
    for (const each of [chain, branch]) each.mine();
    indexing = await following(chain, A);
    await indexing.untilAt(2);
    chain.blocks.splice(0, 2, ...branch.blocks);
    chain.mine({ accounts: [A] });
    const gap = await until(() => indexing.indexer.status().gap);
    expect(gap).toMatchObject({ height: 2, reason: expect.stringContaining('was indexed') });
    expect(indexing.published(A)).toEqual([]);
  });

  it('publishes in order what arrives out of order', async () => {
    const chain = new ScriptedChain();
    indexing = await following(chain, A, B);
    await indexing.stop();
    for (let n = 0; n < 30; n++) chain.mine({ accounts: n % 2 ? [A] : [B, A] });
    const { block, transactions } = indexing.source;
    let step = 0;
    const delayed = <R>(answer: Promise<R>): Promise<R> =>
      new Promise(resolve => setTimeout(resolve, (step = (step + 3) % 7))).then(() => answer);
    indexing.source = {
      ...indexing.source,
      block: (...args) => delayed(block(...args)),
      transactions: (...args) => delayed(transactions(...args)),
    };
    void indexing.start();
    await indexing.untilAt(chain.tip);
    expect(indexing.published(A)).toEqual(chain.ltsOf(A));
    const order = indexing.transactions.map(({ seqno, lt }) => [seqno, BigInt(lt)] as const);
    expect(order).toEqual([...order].sort(([s, l], [t, m]) => s! - t! || (l < m ? -1 : 1)));
  });

  it('stops at a block that the source does not have, reports the gap, and continues once it is there', async () => {
    const chain = new ScriptedChain();
    indexing = await following(chain, A);
    const { block } = indexing.source;
    let missing = true;
    indexing.source.block = async (seqno, signal) => (missing && seqno === 3 ? null : block(seqno, signal));
    for (let n = 0; n < 4; n++) chain.mine({ accounts: [A] });
    await indexing.until(() => indexing.indexer.status().gap !== null);
    expect(indexing.indexer.status()).toMatchObject({ indexedHeight: 2, gap: { height: 3 } });
    expect(await indexing.documents.get('indexer_ton_cursors', 'mainnet')).toMatchObject({
      gap: { height: 3 },
    });
    expect(indexing.published(A)).toEqual(chain.ltsOf(A).slice(0, 1));
    missing = false;
    await indexing.untilAt(5);
    expect(indexing.indexer.status().gap).toBeNull();
    expect(indexing.published(A)).toEqual(chain.ltsOf(A));
  });

  it('stops while jetton wallets cannot be verified, and publishes what was found', async () => {
    const chain = new ScriptedChain();
    const found = { [`0:${'5e'.repeat(32)}`]: { master: B, owner: A } };
    let asked: unknown;
    let down = true;
    indexing = new Indexing(chain, {
      scope: 'all',
      startAfter: chain.tip,
      verify: async ({ jettonWallets: addresses }, seqno) => {
        asked = { addresses, seqno };
        if (down) throw new Error('the source is down');
        return { jettonWallets: found, contracts: {} };
      },
    });
    void indexing.start();
    await indexing.untilAt(1);
    const excesses = beginCell().storeUint(0xd53276db, 32).storeUint(7, 64).endCell();
    chain.mine({ accounts: [A], body: excesses });
    await indexing.until(() => indexing.indexer.status().gap !== null);
    expect(indexing.indexer.status().gap).toEqual({ height: 2, reason: 'the source is down' });
    expect(indexing.transactions).toEqual([]);
    down = false;
    await indexing.untilAt(2);
    expect(asked).toEqual({ addresses: Object.keys(found), seqno: 2 });
    expect(indexing.transactions.map(({ jettonWallets }) => jettonWallets)).toEqual([found]);
  });

  it('stops at a shard that jumps', async () => {
    const chain = new ScriptedChain();
    indexing = await following(chain, A);
    chain.mine({ accounts: [A] });
    await indexing.untilAt(2);
    chain.mine({ unlisted: [A] });
    await indexing.until(() => indexing.indexer.status().gap !== null);
    expect(indexing.indexer.status().gap).toEqual({
      height: 3,
      reason: `shard 0:${WHOLE} jumps from 102 to 104`,
    });
  });

  it('publishes again, but never less, after dying between the log and the cursor', async () => {
    const chain = new ScriptedChain();
    indexing = await following(chain, A);
    let deaths = 2;
    indexing.documents.beforeCommit = ({ writes }) => {
      const isOfBlock = writes.some(({ collection }) => collection === 'indexer_ton_account_heads');
      if (isOfBlock && deaths-- > 0) throw new Error('killed');
    };
    chain.mine({ accounts: [A, A] });
    await indexing.untilAt(2);
    expect(indexing.published(A)).toEqual([...chain.ltsOf(A), ...chain.ltsOf(A), ...chain.ltsOf(A)]);
  });

  it('loses nothing to a second indexer of the same network', async () => {
    const chain = new ScriptedChain();
    indexing = await following(chain, A, B);
    const rival = createTonIndexer(indexing.deps);
    const stop = new AbortController();
    const running = rival.run(stop.signal);
    for (let n = 0; n < 40; n++) {
      chain.mine({ accounts: [A, B, A] });
      await new Promise(resolve => setTimeout(resolve, 2));
    }
    await indexing.untilAt(chain.tip);
    await indexing.until(() => rival.status().indexedHeight === chain.tip);
    stop.abort();
    await running;
    expect([...new Set(indexing.published(A))]).toEqual(chain.ltsOf(A));
    expect([...new Set(indexing.published(B))]).toEqual(chain.ltsOf(B));
  });

  it('does not advance while the log is unavailable', async () => {
    const chain = new ScriptedChain();
    indexing = await following(chain, A);
    indexing.log.beforePublish = () => {
      throw new Error('no broker');
    };
    chain.mine({ accounts: [A] });
    await indexing.until(() => indexing.indexer.status().gap?.reason === 'no broker');
    expect(indexing.indexer.status().indexedHeight).toBe(1);
    indexing.log.beforePublish = () => undefined;
    await indexing.untilAt(2);
    expect(indexing.published(A)).toEqual(chain.ltsOf(A));
  });

  it('stops on a chain that does not have the last block, and continues once it has', async () => {
    const chain = new ScriptedChain('mainnet');
    indexing = await following(chain, A);
    chain.mine({ accounts: [A] });
    await indexing.untilAt(2);
    await indexing.stop();
    const other = new ScriptedChain('testnet');
    other.mine();
    other.mine({ accounts: [A] });
    const right = indexing.source;
    indexing.source = { ...right, ...other.source() };
    void indexing.start();
    await indexing.until(() => indexing.indexer.status().gap?.reason.includes('was indexed') === true);
    expect(indexing.published(A)).toHaveLength(1);
    chain.mine({ accounts: [A] });
    Object.assign(indexing.source, right);
    await indexing.untilAt(3);
    expect(indexing.published(A)).toEqual(chain.ltsOf(A));
  });

  it('stalls while the source serves another network, and says so in its status', async () => {
    const chain = new ScriptedChain();
    indexing = await following(chain, A);
    const { tip } = indexing.source;
    const reason = 'http://server is not used: it serves another';
    indexing.source.tip = () => Promise.reject(new WrongNetwork(reason));
    chain.mine({ accounts: [A] });
    await indexing.until(() => indexing.indexer.status().gap !== null);
    expect(indexing.indexer.status().gap).toEqual({ height: 2, reason });
    indexing.source.tip = tip;
    await indexing.untilAt(2);
    expect(indexing.published(A)).toEqual(chain.ltsOf(A));
    expect(indexing.indexer.status().gap).toBeNull();
  });

  it('finds what was not listed at a split of shards, also of accounts that are inactive after it', async () => {
    const chain = new ScriptedChain();
    indexing = await following(chain, A, B, C);
    chain.mine({ accounts: [A, B, C] });
    chain.mine({ shards: HALVES, unlisted: [A, B, B, UNWATCHED], accounts: [A] });
    chain.mine({ accounts: [A, B] });
    await indexing.untilAt(4);
    for (const account of [A, B, C]) expect(indexing.published(account)).toEqual(chain.ltsOf(account));
    chain.mine({ shards: [WHOLE], unlisted: [C], accounts: [B] });
    await indexing.untilAt(5);
    for (const account of [A, B, C]) expect(indexing.published(account)).toEqual(chain.ltsOf(account));
    expect(indexing.published(UNWATCHED)).toEqual([]);
  });

  it('fills a long gap of an account by paging back', async () => {
    const chain = new ScriptedChain();
    indexing = await following(chain, A);
    chain.mine({ accounts: [A] });
    chain.mine({ shards: HALVES, unlisted: Array<string>(75).fill(A), accounts: [A] });
    await indexing.untilAt(3);
    expect(indexing.published(A)).toEqual(chain.ltsOf(A));
  });

  it('publishes a transaction that it cannot decode to the dead letters', async () => {
    const chain = new ScriptedChain();
    indexing = await following(chain, A);
    chain.mine({ accounts: [A] });
    chain.mine({ accounts: [A], strange: true });
    chain.mine({ accounts: [A] });
    await indexing.untilAt(4);
    const [first, strange, last] = chain.transactions.get(A)!;
    expect(indexing.published(A)).toEqual([first!.lt, last!.lt]);
    expect(indexing.deadLetters).toEqual([
      expect.objectContaining({
        account: A,
        lt: strange!.lt,
        hash: strange!.hash,
        seqno: 3,
        raw: strange!.cell.toBoc({ idx: false }).toString('base64'),
      }),
    ]);
    expect(indexing.counts).toEqual({ published: 2, dead: 1 });
  });
});
