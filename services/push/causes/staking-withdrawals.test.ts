import { NO_STAKE, type StakeOfMember } from '../../../contracts/chain/ton-staking';
import { pushCauseId, type PushCause } from '../../../contracts/push/push-cause';
import { openRecordedJobs, type RecordedJobs } from '../../../test/doubles/jobs';
import { until } from '../../../test/until';
import { PUSH_CAUSES } from './reactions';
import { PUSH_STAKING_WITHDRAWALS, withdrawalJob, workStakingWithdrawals } from './staking-withdrawals';

const POOL = `0:${'9'.repeat(64)}`;
const account = { chain: 'ton', network: 'mainnet', address: `0:${'a1'.repeat(32)}` } as const;
const END = 100;
const now = new Date('2026-11-20T12:00:00.000Z');

/** What a pool says of a member in a block. */
type Reading = readonly [height: number, stake: Partial<StakeOfMember>];

let jobs: RecordedJobs;
let stopped: AbortController;
let running: Promise<void>;

/** Looks at a member as often as there are readings; no look waits for its time. */
async function look(...readings: readonly (Reading | null)[]): Promise<{ readonly requested: number }> {
  jobs = openRecordedJobs();
  stopped = new AbortController();
  let [looks, requested] = [0, 0];
  const stakes = {
    async find() {
      const [height, stake] = readings[looks++] ?? [0, {}];
      return height === 0 ? null : { height, at: now.toISOString(), data: { ...NO_STAKE, ...stake } };
    },
    request: async () => void requested++,
  };
  running = workStakingWithdrawals({ jobs, stakes, clock: () => now }, stopped.signal);
  for (let run = 1; run <= readings.length; run++) {
    await jobs.add({ ...withdrawalJob({ account, pool: POOL, round: 1, seqno: END, run }), delayMs: 0 });
    await until(() => looks >= run);
    await until(async () => (await jobs.counts(PUSH_STAKING_WITHDRAWALS)).running === 0);
  }
  return { requested };
}
afterEach(async () => {
  stopped.abort();
  await running;
  await jobs.close();
});

const causes = () =>
  jobs.added.filter(({ queue }) => queue === PUSH_CAUSES).map(({ data }) => data as PushCause);

it('a withdrawal is notified once the pool says that it is ready', async () => {
  await look([END + 3, { withdraw: '6' }]);
  expect(causes()).toMatchObject([{ kind: 'staking_withdrawal', account, pool: POOL, round: 1 }]);
});

it('one that is pending is not, beside an earlier one that is ready', async () => {
  await look(null, [END, { pendingWithdraw: '5', withdraw: '1' }]);
  expect(causes()).toEqual([]);
});

it('what the pool said before the end of the round says nothing of it', async () => {
  const { requested } = await look([END - 1, { withdraw: '6' }]);
  expect(causes()).toEqual([]);
  expect(requested).toBe(1);
});

it('one that was taken back is not notified, and not looked for any longer', async () => {
  const { requested } = await look([END, { balance: '9', pendingDeposit: '3' }]);
  expect(causes()).toEqual([]);
  expect(requested).toBe(0);
  expect(jobs.added.filter(({ queue }) => queue === PUSH_STAKING_WITHDRAWALS)).toHaveLength(1);
});

it('is one of its member, pool and round, whenever it is seen', () => {
  const cause = { kind: 'staking_withdrawal', account, pool: POOL, round: 1, at: now.toISOString() } as const;
  const other = { ...account, address: POOL };
  const ids = [
    ...[cause, { ...cause, at: new Date(0).toISOString() }],
    ...[
      { ...cause, round: 2 },
      { ...cause, pool: account.address },
      { ...cause, account: other },
    ],
    { ...cause, kind: 'staking_round' } as const,
  ].map(pushCauseId);
  expect(ids[1]).toBe(ids[0]);
  expect(new Set(ids).size).toBe(5);
});
