import type { TonTraceMessage } from '../../contracts/chain/ton';
import { SourceError } from '../../indexers/ton/source';
import { randomFrom } from '../random';
import { Indexing } from './indexing';
import { expectedTraces, MessageTraffic } from './message-traffic';
import { accountAt, externalMessage, HALVES, ScriptedChain, WHOLE } from './scripted-chain';

const [A, B, C] = [accountAt(1), accountAt(2), accountAt(3)] as const;

let chain: ScriptedChain;
let indexing: Indexing;
beforeEach(() => (chain = new ScriptedChain()));
afterEach(() => indexing.stop());

async function following(...accounts: string[]): Promise<void> {
  indexing = new Indexing(chain, { maxTraceAge: 10 });
  for (const account of accounts) await indexing.watch(account);
  void indexing.start();
  for (const account of accounts) await indexing.untilFollowed(account);
}

const request = (account: string, sendsTo: readonly string[]) => ({
  account,
  received: externalMessage(account, 1),
  sendsTo,
});

/** The newest message that an account sent, delivered. */
const delivered = (sender: string, account: string, sendsTo: readonly string[] = []) => ({
  account,
  received: chain.transactions.get(sender)!.at(-1)!.sent[0]!,
  sendsTo,
});

const summary = ({ state, messages }: TonTraceMessage) => ({
  state,
  lts: messages.map(({ transaction }) => transaction?.lt ?? null),
});
const ltOf = (account: string): string => chain.ltsOf(account).at(-1)!;

describe('the trace of a transaction', () => {
  it('is published when everything that the transaction caused has happened', async () => {
    await following(A);
    chain.mine({ accounts: [request(A, [B])] });
    chain.mine({ accounts: [delivered(A, B, [C])] });
    chain.mine();
    await indexing.untilAt(chain.tip);
    expect(indexing.traces).toEqual([]);
    chain.mine({ accounts: [delivered(B, C)] });
    await indexing.untilAt(chain.tip);
    expect(indexing.traces.map(summary)).toEqual([{ state: 'complete', lts: [ltOf(B), ltOf(C)] }]);
    expect(indexing.transactions.map(({ account }) => account)).toEqual([A]);
  });

  it('is published before what returns to the account in it', async () => {
    await following(A);
    chain.mine({ accounts: [request(A, [B, C])] });
    chain.mine({ accounts: [delivered(A, B, [A])] });
    chain.mine({ accounts: [delivered(B, A)] });
    await indexing.untilAt(chain.tip);
    const [sent, open, returned] = indexing.messages;
    expect([sent!.type, open!.type, returned!.type]).toEqual(['transaction', 'trace', 'transaction']);
    expect(summary(open as TonTraceMessage)).toEqual({ state: 'open', lts: [ltOf(B), null, ltOf(A)] });
  });

  it('begins at requests of owners only', async () => {
    await following(A, B);
    chain.mine({ accounts: [request(A, [B])] });
    chain.mine({ accounts: [delivered(A, B, [C])] });
    chain.mine({ accounts: [delivered(B, C)] });
    await indexing.untilAt(chain.tip);
    expect(indexing.traces.map(({ account }) => account)).toEqual([A]);
  });

  it('reads no transaction twice when every account is followed', async () => {
    indexing = new Indexing(chain, { scope: 'all' });
    void indexing.start();
    await indexing.untilAt(1);
    const { transactions } = indexing.source;
    const read: string[] = [];
    indexing.source.transactions = (account, ...rest) => (read.push(account), transactions(account, ...rest));
    const traffic = new MessageTraffic(chain, [A, B, C], randomFrom(2));
    chain.mine({ accounts: traffic.transactions([A, B], 4) });
    while (traffic.pending > 0) chain.mine({ accounts: traffic.transactions([], 4) });
    await indexing.untilAt(chain.tip);
    expect(new Set(indexing.traces.map(({ state }) => state))).toContain('complete');
    expect(indexing.traces.filter(({ state }) => state === 'complete')).toHaveLength(
      expectedTraces(chain).size,
    );
    expect(read).toHaveLength(
      chain.blocks
        .slice(1)
        .flatMap(({ shards }) => [
          ...new Set(shards.flatMap(shard => shard.transactions.map(({ account }) => account))),
        ]).length,
    );
  });

  it('is abandoned when a message is not delivered, and says how far it went', async () => {
    await following(A);
    chain.mine({ accounts: [request(A, [B])] });
    chain.mine({ accounts: [delivered(A, B, [C])] });
    for (let n = 0; n < 10; n++) chain.mine();
    await indexing.untilAt(chain.tip);
    expect(indexing.traces.map(summary)).toEqual([{ state: 'abandoned', lts: [ltOf(B), null] }]);
    expect(await indexing.openTraces()).toEqual([]);
  });

  it('continues through transactions that were not listed at a split of shards', async () => {
    await following(A);
    chain.mine({ accounts: [request(A, [B])] });
    const unlisted = function* () {
      yield delivered(A, B, [C]);
    };
    chain.mine({ shards: HALVES, unlisted: unlisted() });
    chain.mine({ accounts: [delivered(B, C)] });
    await indexing.untilAt(chain.tip);
    expect(indexing.traces.map(summary)).toEqual([{ state: 'complete', lts: [ltOf(B), ltOf(C)] }]);
    chain.mine({ shards: [WHOLE] });
  });

  it('continues through an account that was deleted in the block of a split of shards', async () => {
    await following(A);
    chain.mine({ accounts: [request(A, [B])] });
    chain.mine();
    chain.mine({ shards: HALVES, accounts: [delivered(A, B, [A])] });
    chain.delete(B);
    chain.mine({ accounts: [delivered(B, A)] });
    await indexing.untilAt(chain.tip);
    expect(indexing.traces.map(summary)).toEqual([{ state: 'complete', lts: [ltOf(B), ltOf(A)] }]);
  });

  /** Follows A, while another account cannot be read until the returned function is called. */
  async function followingWithout(account: string): Promise<() => void> {
    await following(A);
    const { transactions } = indexing.source;
    let unreadable = true;
    indexing.source.transactions = async (of, ...rest) => {
      if (of === account && unreadable) throw new SourceError('cannot be read');
      return transactions(of, ...rest);
    };
    return () => void (unreadable = false);
  }

  it('continues through an account that was deleted before it could be read', async () => {
    const makeReadable = await followingWithout(B);
    chain.mine({ accounts: [request(A, [B])] });
    chain.mine({ accounts: [delivered(A, B, [C])] });
    chain.delete(B);
    chain.mine({ accounts: [delivered(B, C)] });
    chain.delete(C);
    await indexing.untilAt(chain.tip);
    makeReadable();
    for (let n = 0; n < 4; n++) chain.mine();
    await indexing.untilAt(chain.tip);
    expect(indexing.traces.map(summary)).toEqual([{ state: 'complete', lts: [ltOf(B), ltOf(C)] }]);
  });

  it('does not stop the tail when another account cannot be read, and continues once it can', async () => {
    const makeReadable = await followingWithout(B);
    chain.mine({ accounts: [request(A, [B])] });
    chain.mine({ accounts: [delivered(A, B, [C])] });
    chain.mine({ accounts: [delivered(B, C)] });
    await indexing.untilAt(chain.tip);
    expect(indexing.indexer.status().gap).toBeNull();
    expect(indexing.traces).toEqual([]);
    makeReadable();
    for (let n = 0; n < 4; n++) chain.mine();
    await indexing.untilAt(chain.tip);
    expect(indexing.traces.map(summary)).toEqual([{ state: 'complete', lts: [ltOf(B), ltOf(C)] }]);
  });
});

describe('the backfill of traces', () => {
  const spread = (): void => {
    const traffic = new MessageTraffic(chain, [A, B, C, accountAt(4)], randomFrom(9));
    for (let n = 0; n < 40; n++) chain.mine({ accounts: traffic.transactions(n % 2 ? [A] : [], 2) });
    while (traffic.pending > 0) chain.mine({ accounts: traffic.transactions([], 9) });
  };

  it.each([1, 50])('finds all that the transactions of an account caused, %i pages a job', async maxPages => {
    spread();
    indexing = new Indexing(chain);
    await indexing.watch(A);
    void indexing.start();
    await indexing.backfill(undefined, undefined, maxPages);
    expect(chain.ltsOf(A).length).toBeGreaterThan(80);
    const expected = expectedTraces(chain);
    expect(indexing.traces.map(({ account, lt }) => `${account}/${lt}`).sort()).toEqual(
      [...expected.keys()].sort(),
    );
    for (const trace of indexing.traces) {
      const lts = trace.messages.map(({ transaction }) => transaction?.lt ?? null);
      expect(trace.state).toBe('complete');
      expect(lts.sort()).toEqual(
        expected
          .get(`${trace.account}/${trace.lt}`)!
          .map(({ lt }) => lt)
          .sort(),
      );
    }
  });

  it('abandons what lies beyond its bound of pages', async () => {
    chain.mine({ accounts: [request(A, [B])] });
    const deliver = function* () {
      yield delivered(A, B);
    };
    chain.mine({ accounts: deliver() });
    for (let n = 0; n < 21; n++) chain.mine({ accounts: Array<string>(20).fill(B) });
    indexing = new Indexing(chain);
    await indexing.watch(A);
    void indexing.start();
    await indexing.backfill();
    expect(indexing.traces.map(summary)).toEqual([{ state: 'abandoned', lts: [null] }]);
  });

  it('finds in the blocks what happened at an account that was deleted since, and returned', async () => {
    chain.mine({ accounts: [request(A, [B])] });
    chain.mine();
    chain.mine({ accounts: [delivered(A, B, [A])] });
    chain.mine({ accounts: [delivered(B, A)] });
    chain.delete(B);
    indexing = new Indexing(chain);
    await indexing.watch(A);
    void indexing.start();
    await indexing.backfill();
    expect(indexing.traces.map(summary)).toEqual([{ state: 'complete', lts: [ltOf(B), ltOf(A)] }]);
  });

  it.each([
    ['blocks are no longer there', { blockAt: async () => null }],
    ['no block lists', { block: async (seqno: number) => ({ ...chain.blocks[seqno - 1]!, shards: [] }) }],
  ])('abandons what happened at a deleted account when %s', async (_why, changes) => {
    chain.mine({ accounts: [request(A, [B])] });
    chain.mine({ accounts: [delivered(A, B)] });
    chain.delete(B);
    for (let n = 0; n < 80; n++) chain.mine();
    const asked: number[] = [];
    const { block, ...source } = { ...chain.source(), ...changes };
    indexing = new Indexing(chain);
    await indexing.watch(A);
    void indexing.start();
    await indexing.untilFollowed(A);
    await indexing.stop();
    indexing.source = {
      ...source,
      block: async (seqno, signal) => (asked.push(seqno), block(seqno, signal)),
    };
    await indexing.backfill();
    expect(indexing.traces.map(summary)).toEqual([{ state: 'abandoned', lts: [null] }]);
    expect(asked.length).toBeLessThanOrEqual(64);
  });

  it('waits for what a recent transaction has yet to cause', async () => {
    chain.mine({ accounts: [request(A, [B])] });
    const recent = 1_700_000_010_000;
    indexing = new Indexing(chain, { now: () => recent, traceRetryMs: 1 });
    await indexing.watch(A);
    void indexing.start();
    await indexing.untilFollowed(A);
    const filled = indexing.backfill();
    await indexing.until(() => indexing.published(A).length === 1);
    chain.mine({ accounts: [delivered(A, B)] });
    await filled;
    expect(indexing.traces.map(summary)).toEqual([{ state: 'complete', lts: [ltOf(B)] }]);
  });
});
