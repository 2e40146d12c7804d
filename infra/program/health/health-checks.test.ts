import { backfillJob } from '../../../indexers/backfill-jobs';
import { openRecordedJobs } from '../../../test/doubles/jobs';
import { readConfig } from '../settings/config';
import { workedQueues } from './health-checks';

it('jobs that wait for a network that is off do not count', async () => {
  const jobs = openRecordedJobs();
  const job = { address: `0:${'1'.repeat(64)}`, watch: 1, sequence: 0, failures: 0 };
  for (const network of ['mainnet', 'testnet'])
    for (const isFirst of [true, false]) await jobs.add(backfillJob('ton', { ...job, network, isFirst }));
  expect(await workedQueues(jobs, readConfig({}))).toHaveLength(4);
  expect((await workedQueues(jobs, readConfig({ TON_RPC_URL_TESTNET: 'off' }))).sort()).toEqual([
    'ton-backfill-mainnet',
    'ton-first-page-mainnet',
  ]);
  await jobs.close();
});
