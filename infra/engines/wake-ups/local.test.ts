import { NEVER_MS } from '../../../test/contracts/harness';
import { describeWakeUps } from '../../../test/contracts/wake-ups';
import { createLocalWakeUps } from './local';
import { createPollingWakeUps } from './polling';

describeWakeUps('one process', async () => createLocalWakeUps(), { crossClient: false });
describeWakeUps('one process, polling', async () => createPollingWakeUps(NEVER_MS), { crossClient: false });

test('a polling wait ends after the poll interval', async () => {
  await createPollingWakeUps(5).wait(['a'], NEVER_MS);
});
