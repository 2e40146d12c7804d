import { describeWakeUps } from '../../../test/contracts/wake-ups';
import { createLocalWakeUps } from './local';
import { createPollingWakeUps } from './polling';

describeWakeUps('this process', async () => createLocalWakeUps(), { carried: false });
describeWakeUps('this process, with a look around', async () => createPollingWakeUps(60_000), {
  carried: false,
});
