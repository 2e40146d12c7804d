import type { AccountRef } from '../../contracts/network/network';
import { tonBackfillReaction } from '../../indexers/ton/backfill/worker';
import { InMemoryEventStore } from '../doubles/event-store';
import { recordExpired, recordWatched } from '../doubles/watched-accounts';
import { Indexing } from './indexing';
import { accountAt, ScriptedChain } from './scripted-chain';

const [A, B] = [accountAt(1), accountAt(2)] as const;
const descending = (lts: readonly string[]): string[] => [...lts].reverse();

let indexing: Indexing;
afterEach(() => indexing.stop());

const chainWith = (transactions: number): ScriptedChain => {
  const chain = new ScriptedChain();
  for (let n = 0; n < transactions; n++) chain.mine({ accounts: [A, B] });
  return chain;
};

describe('backfill of a TON account', () => {
  it('publishes the whole history, newest first, and then that it is complete', async () => {
    const chain = chainWith(53);
    indexing = new Indexing(chain);
    await indexing.watch(A);
    void indexing.start();
    await indexing.backfill();
    expect(indexing.published(A)).toEqual(descending(chain.ltsOf(A)));
    expect(indexing.transactions.every(({ origin, seqno }) => origin === 'backfill' && seqno === null)).toBe(
      true,
    );
    expect(indexing.published(B)).toEqual([]);
    expect(indexing.backfilled).toEqual([A]);
  });

  it('completes at once for an account without transactions', async () => {
    indexing = new Indexing(chainWith(1));
    await indexing.watch(accountAt(77));
    void indexing.start();
    await indexing.backfill();
    expect(indexing.backfilled).toEqual([accountAt(77)]);
  });

  it('also reads an account from before it was deleted, if the tail followed it then', async () => {
    const chain = chainWith(3);
    indexing = new Indexing(chain);
    await indexing.watch(A);
    void indexing.start();
    await indexing.untilFollowed(A);
    chain.mine({ accounts: [A] });
    chain.delete(A);
    for (let n = 0; n < 30; n++) chain.mine({ accounts: [A] });
    await indexing.untilAt(chain.tip);
    expect(indexing.published(A)).toEqual(chain.ltsOf(A).slice(3));
    await indexing.backfill();
    expect(new Set(indexing.published(A))).toEqual(new Set(chain.ltsOf(A)));
    expect(indexing.backfilled).toEqual([A]);
  });

  it('does nothing when it runs again', async () => {
    indexing = new Indexing(chainWith(5));
    await indexing.watch(A);
    void indexing.start();
    await indexing.backfill();
    await indexing.backfill();
    expect(indexing.published(A)).toHaveLength(5);
    expect(indexing.backfilled).toEqual([A]);
  });

  it('reads before the tail follows the account, and completes only when it does', async () => {
    const chain = chainWith(3);
    indexing = new Indexing(chain);
    await indexing.watch(A);
    const filled = indexing.backfill();
    await indexing.until(() => indexing.published(A).length === 3);
    chain.mine({ accounts: [A] });
    chain.mine({ accounts: [A] });
    expect(indexing.backfilled).toEqual([]);
    void indexing.start();
    await filled;
    expect(new Set(indexing.published(A))).toEqual(new Set(chain.ltsOf(A)));
    expect(indexing.backfilled).toEqual([A]);
  });

  it('continues at the page where it was interrupted', async () => {
    const chain = chainWith(70);
    indexing = new Indexing(chain);
    await indexing.watch(A);
    void indexing.start();
    await indexing.untilFollowed(A);
    const { transactions } = indexing.source;
    let pages = 0;
    indexing.source.transactions = async (...args) => {
      if (++pages === 3) throw new Error('the source failed');
      return transactions(...args);
    };
    await expect(indexing.backfill()).rejects.toThrow('the source failed');
    await indexing.backfill();
    expect(indexing.published(A)).toEqual(descending(chain.ltsOf(A)));
    expect(pages).toBe(5);
  });

  it('leaves no gap to the tail when watching begins while transactions arrive', async () => {
    const chain = chainWith(30);
    indexing = new Indexing(chain);
    void indexing.start();
    const accounts = Array.from({ length: 12 }, (_, n) => accountAt(n));
    let flowing = true;
    const flow = (async () => {
      while (flowing) {
        chain.mine({ accounts });
        await new Promise(resolve => setTimeout(resolve, 1));
      }
    })();
    for (const account of accounts) {
      await indexing.watch(account);
      await indexing.backfill(indexing.store.stored.all.slice(-1));
    }
    flowing = false;
    await flow;
    await indexing.untilAt(chain.tip);
    for (const account of accounts) {
      expect(new Set(indexing.published(account))).toEqual(new Set(chain.ltsOf(account)));
      const live = indexing.transactions.filter(tx => tx.account === account && tx.origin === 'tail');
      const all = chain.ltsOf(account);
      expect(live.map(({ lt }) => lt)).toEqual(all.slice(all.length - live.length));
    }
  });
});

describe('the reaction to a watched account', () => {
  const reacted = async (account: AccountRef) => {
    const store = new InMemoryEventStore();
    await recordWatched(store, account);
    return store.stored.all.flatMap(event => tonBackfillReaction.jobs(event));
  };

  it('enqueues one job an account', async () => {
    const watched = { chain: 'ton', network: 'testnet', address: A } as const;
    expect(await reacted(watched)).toEqual([
      expect.objectContaining({ queue: 'ton-first-page-testnet', id: `ton:testnet:${A}/1/0/0` }),
    ]);
    expect(await reacted(watched)).toEqual(await reacted(watched));
  });

  it('enqueues another one when the account is watched again, and none for what happens in between', async () => {
    const store = new InMemoryEventStore();
    const account = { chain: 'ton', network: 'mainnet', address: B } as const;
    await recordWatched(store, account);
    await recordExpired(store, account);
    await recordWatched(store, account, 2);
    const jobs = store.stored.all.map(event => tonBackfillReaction.jobs(event).map(({ id }) => id));
    expect(jobs).toEqual([[`ton:mainnet:${B}/1/0/0`], [], [`ton:mainnet:${B}/2/0/0`]]);
  });

  it('ignores accounts of other chains', async () => {
    expect(await reacted({ chain: 'solana', network: 'mainnet', address: 'x' })).toEqual([]);
  });
});
