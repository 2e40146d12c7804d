import { accountKey } from '../../../contracts/network/network';
import type { Document } from '../../../contracts/ports/documents';
import { pushAccountId, type PushCause } from '../../../contracts/push/push-cause';
import { openRecordedJobs, type RecordedJobs } from '../../../test/doubles/jobs';
import { until } from '../../../test/until';
import { causeJob } from './reactions';
import { workCauses } from './worker';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();
const cause: PushCause = {
  kind: 'order_status',
  account: { chain: 'solana', network: 'mainnet', address: 'Alice' },
  orderId: 'o1',
  status: 'finished',
  at: at(30),
};

let jobs: RecordedJobs;
let stopped: AbortController;
let running: Promise<void>;
/** Runs the worker with followers of the account. */
function work(followers: readonly { readonly device: string; readonly since: string }[], behind = 0): void {
  let reads = 0;
  jobs = openRecordedJobs();
  stopped = new AbortController();
  const isFolded = () => reads > behind;
  const waitForPosition = async () => (reads++, isFolded());
  const document = {
    _id: pushAccountId(accountKey(cause.account)),
    followers: followers.map(each => ({ ...each, registeredAt: at(0), isProven: false, source: null })),
  };
  const get = async <D extends Document>(_collection: string, id: string) =>
    isFolded() && id === document._id ? (document as unknown as D) : null;
  const store = { head: async () => 1 };
  running = workCauses({ views: { get, waitForPosition }, store, jobs }, stopped.signal);
}
afterEach(async () => {
  stopped.abort();
  await running;
  await jobs.close();
});

const notified = () =>
  jobs.added.filter(({ queue }) => queue === 'push-notifications').map(({ data }) => data['deviceId']);
const isDone = async () => {
  const { waiting, running } = await jobs.counts('push-causes');
  return waiting + running === 0;
};

it('notifies the devices that followed the account when it happened, each once, however often it is seen', async () => {
  work([
    { device: 'later', since: at(31) },
    { device: 'd2', since: at(30) },
    { device: 'd1', since: at(1) },
  ]);
  for (let n = 0; n < 3; n++) {
    await jobs.add(causeJob(cause));
    await until(isDone);
  }
  expect(notified().sort()).toEqual(['d1', 'd2']);
});

it('notifies devices that documents do not have yet, once they do', async () => {
  work([{ device: 'd1', since: at(1) }], 1);
  await jobs.add({ ...causeJob(cause), backoffMs: 1 });
  await until(() => notified().length > 0);
  expect(notified()).toEqual(['d1']);
});
