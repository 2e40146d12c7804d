import fc from 'fast-check';
import type { TonSource } from '../../indexers/ton/source';
import { failIf } from '../doubles/failing';
import { until } from '../until';
import { Indexing } from './indexing';
import { accountAt, HALVES, ScriptedChain, WHOLE, type Mined } from './scripted-chain';
import { runs } from '../random';

const ACCOUNTS = [0, 1, 2, 3].map(accountAt);
const WATCHED = ACCOUNTS.slice(0, 3);

/** Scripted faults, one for each call. */
function faults(scripted: readonly boolean[]): () => boolean {
  let next = 0;
  return () => scripted[next++] ?? false;
}

function unreliable(source: TonSource, isFaulty: () => boolean): TonSource {
  const fail = async (): Promise<void> => {
    if (isFaulty()) throw new Error('the source failed');
  };
  return {
    ...source,
    tip: async signal => (await fail(), source.tip(signal)),
    block: async (seqno, signal) => (isFaulty() ? null : source.block(seqno, signal)),
    last: async (...args) => (await fail(), source.last(...args)),
    transactions: async (...args) => (await fail(), source.transactions(...args)),
  };
}

const accounts = fc.array(fc.constantFrom(...ACCOUNTS), { maxLength: 5 });
const block: fc.Arbitrary<Mined> = fc.oneof(
  { weight: 4, arbitrary: accounts.map(listed => ({ accounts: listed })) },
  {
    weight: 1,
    arbitrary: fc.record({ accounts, unlisted: accounts, shards: fc.constantFrom(HALVES, [WHOLE]) }),
  },
);
const step = fc.oneof(
  { weight: 6, arbitrary: block.map(mined => ({ mined })) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
  { weight: 1, arbitrary: fc.constant('watch' as const) },
  { weight: 1, arbitrary: fc.constant('forget' as const) },
  { weight: 1, arbitrary: fc.constant('wait' as const) },
);

/** The order of first appearance, as an idempotent reader sees duplicates. */
const withoutDuplicates = (lts: readonly string[]): string[] => [...new Set(lts)];

it('never skips or reorders a watched account, also one that was forgotten, whatever fails and wherever it dies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 30 }),
      fc.array(fc.boolean(), { maxLength: 40 }),
      fc.array(fc.boolean(), { maxLength: 10 }),
      async (steps, failures, deaths) => {
        const chain = new ScriptedChain();
        const indexing = new Indexing(chain);
        const dies = faults(deaths);
        indexing.source = unreliable(indexing.source, faults(failures));
        indexing.log.beforePublish = failIf(dies, 'the broker failed');
        indexing.documents.beforeCommit = failIf(dies, 'killed before the commit');
        const unwatched = [...WATCHED];
        /** The number of the last watch of each account. */
        const watches = new Map<string, number>();
        const watch = async (account: string): Promise<void> => {
          const number = (watches.get(account) ?? 0) + 1;
          watches.set(account, number);
          await indexing.watch(account, number);
        };
        let shards = [WHOLE];
        void indexing.start();
        for (const next of steps) {
          if (next === 'restart') {
            await indexing.stop();
            void indexing.start();
          } else if (next === 'watch') {
            const account = unwatched.pop();
            if (account) await watch(account);
          } else if (next === 'forget') {
            const account = WATCHED.find(each => !unwatched.includes(each));
            if (!account) continue;
            await indexing.expire(account, watches.get(account));
            unwatched.unshift(account);
          } else if (next === 'wait') {
            await new Promise(resolve => setTimeout(resolve, 3));
          } else {
            const changed = next.mined.shards && next.mined.shards.length !== shards.length;
            const { accounts: listed = [] } = next.mined;
            chain.mine(changed ? next.mined : { accounts: listed });
            if (changed) shards = [...next.mined.shards!];
          }
        }
        for (const account of unwatched) await watch(account);
        await until(() => indexing.indexer.status().indexedHeight === chain.tip);
        const isBackfilled = (account: string): boolean =>
          indexing.messages.some(
            message =>
              message.type === 'backfilled' &&
              message.downTo === '0' &&
              message.account === account &&
              message.watch === watches.get(account),
          );
        for (let tries = 0; !WATCHED.every(isBackfilled) && tries < 60; tries++)
          await indexing.backfill().catch(() => undefined);
        await indexing.stop();

        for (const account of WATCHED) {
          const live = indexing.transactions.filter(tx => tx.account === account && tx.origin === 'tail');
          const published = withoutDuplicates(live.map(({ lt }) => lt));
          const all = chain.ltsOf(account);
          const expected = all.filter(lt => published.includes(lt));
          // One that was forgotten in between has a gap there, which only the backfill fills.
          const isContiguous = watches.get(account) === 1;
          expect(published).toEqual(isContiguous ? all.slice(all.length - published.length) : expected);
          expect(new Set(indexing.published(account))).toEqual(new Set(all));
        }
        expect(WATCHED.filter(account => !isBackfilled(account))).toEqual([]);
      },
    ),
    { ...runs(10), endOnFailure: true },
  );
});
