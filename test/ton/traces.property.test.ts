import fc from 'fast-check';
import type { TonTraceMessage } from '../../contracts/chain/ton';
import { SourceError, type TonSource } from '../../indexers/ton/source';
import { failIf } from '../doubles/failing';
import { randomFrom, runs } from '../random';
import { until } from '../until';
import { Indexing } from './indexing';
import { expectedTraces, MessageTraffic, type ExpectedMessage } from './message-traffic';
import { accountAt, HALVES, ScriptedChain, WHOLE } from './scripted-chain';

const ACCOUNTS = [0, 1, 2, 3, 4].map(accountAt);
const WATCHED = ACCOUNTS.slice(0, 2);
/** Blocks after which what could not be read before is read again. */
const MAX_AGE = 60;

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      requests: fc.array(fc.constantFrom(...WATCHED), { maxLength: 2 }),
      deliveries: fc.nat(6),
    }),
  },
  { weight: 1, arbitrary: fc.record({ unlisted: fc.nat(3), deliveries: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
  { weight: 1, arbitrary: fc.constant('wait' as const) },
);

function faults(scripted: readonly boolean[]): () => boolean {
  let next = 0;
  return () => scripted[next++] ?? false;
}

function unreliable(source: TonSource, isFaulty: () => boolean): TonSource {
  return {
    ...source,
    transactions: async (...args) => {
      if (isFaulty()) throw new SourceError('the source failed');
      return source.transactions(...args);
    },
  };
}

const byHash = (a: ExpectedMessage, b: ExpectedMessage): number => (a.hash < b.hash ? -1 : 1);

const asExpected = ({ messages }: TonTraceMessage): ExpectedMessage[] =>
  messages.map(({ hash, parent, transaction }) => ({
    hash,
    parent: parent === null ? null : messages[parent]!.hash,
    lt: transaction?.lt ?? null,
  }));

it('publishes what each request caused, whole, however it is spread over blocks and wherever the tail is killed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 25 }),
      fc.nat(),
      fc.array(fc.boolean(), { maxLength: 30 }),
      fc.array(fc.boolean(), { maxLength: 10 }),
      async (steps, seed, failures, deaths) => {
        const chain = new ScriptedChain();
        const traffic = new MessageTraffic(chain, ACCOUNTS, randomFrom(seed));
        const indexing = new Indexing(chain, { maxTraceAge: MAX_AGE });
        for (const account of WATCHED) await indexing.watch(account);
        void indexing.start();
        for (const account of WATCHED) await indexing.untilFollowed(account);
        const dies = faults(deaths);
        await indexing.stop();
        indexing.source = unreliable(indexing.source, faults(failures));
        indexing.log.beforePublish = failIf(dies, 'the broker failed');
        indexing.documents.beforeCommit = failIf(dies, 'killed before the commit');
        void indexing.start();
        const mine = (requests: readonly string[], deliveries: number): void => {
          chain.mine({ accounts: traffic.transactions(requests, deliveries) });
        };
        let isSplit = false;
        const splitOrMerge = (unlisted: number, deliveries: number): void => {
          isSplit = !isSplit;
          chain.mine({
            shards: isSplit ? HALVES : [WHOLE],
            unlisted: traffic.transactions([], unlisted),
            accounts: traffic.transactions([], deliveries),
          });
        };
        for (const next of steps) {
          if (next === 'restart') {
            await indexing.stop();
            void indexing.start();
          } else if (next === 'wait') await new Promise(resolve => setTimeout(resolve, 3));
          else if ('unlisted' in next) splitOrMerge(next.unlisted, next.deliveries);
          else mine(next.requests, next.deliveries);
        }
        while (traffic.pending > 0) mine([], 10);
        for (let n = 0; n <= MAX_AGE; n++) mine([], 0);
        try {
          await until(() => indexing.indexer.status().indexedHeight === chain.tip);
        } finally {
          await indexing.stop();
        }

        const published = new Map<string, TonTraceMessage[]>();
        for (const trace of indexing.traces) {
          if (trace.state === 'open') continue;
          const id = `${trace.account}/${trace.lt}`;
          published.set(id, [...(published.get(id) ?? []), trace]);
        }
        const expected = expectedTraces(chain);
        expect([...published.keys()].sort()).toEqual([...expected.keys()].sort());
        for (const [id, [trace, ...again]] of published) {
          expect(trace!.state).toBe('complete');
          expect(asExpected(trace!).sort(byHash)).toEqual(expected.get(id)!.sort(byHash));
          for (const other of again) expect(other).toEqual(trace);
        }
        expect(await indexing.openTraces()).toEqual([]);
      },
    ),
    { ...runs(5), endOnFailure: true },
  );
});
