import { pino } from 'pino';
import type { Job, NewJob } from '../../../contracts/ports/jobs';
import { MESSAGE_HASH, REQUEST, STORE_OF_REQUEST } from '../../../test/gasless/relayed-request';
import type { Handle } from '../../commands/handle';
import { GASLESS_OUTCOMES, outcomesJob } from './jobs';
import { workGaslessOutcomes } from './outcome-worker';

const { signal } = new AbortController();
const { wallet, seqno, bodyHash } = REQUEST;
const asked = {
  network: 'testnet' as const,
  relay: 'r',
  count: 1,
  messageHash: MESSAGE_HASH,
  requests: [{ wallet, seqno, bodyHash }],
};

/** A worker whose jobs the test hands out, of a request that was sent on and of which nothing is known. */
function worker() {
  const added: NewJob[] = [];
  let handle: (job: Job) => Promise<void> = () => Promise.reject(new Error('not working'));
  void workGaslessOutcomes(
    {
      store: STORE_OF_REQUEST,
      handle: (() => Promise.reject(new Error('nothing is known'))) as Handle,
      clock: () => new Date(0),
      logger: pino({ level: 'silent' }),
      transactionByHash: () => Promise.resolve(null),
      transactions: {
        page: () => Promise.resolve({ transactions: [], isFull: false, hasMore: false }),
        withLts: () => Promise.resolve([]),
      },
      traces: { places: () => Promise.resolve([]) },
      jobs: {
        add: async job => added.push(job) > 0,
        work: async (_options, handler) => void (handle = handler),
      },
    },
    signal,
  );
  return {
    added,
    look(run: number): Promise<void> {
      const { id, data } = outcomesJob(asked, run);
      return handle({ queue: GASLESS_OUTCOMES, id, data, attempt: 1, signal });
    },
  };
}

it('looks again, after longer and longer, for what has no trace yet', async () => {
  const { added, look } = worker();
  for (const run of [1, 2, 30]) await look(run);
  expect(added).toMatchObject([
    { data: { run: 2 }, delayMs: 2_000 },
    { data: { run: 3 }, delayMs: 4_000 },
    { data: { run: 31 }, delayMs: 600_000 },
  ]);
});
