import { describeWakeUps } from '../../../test/contracts/wake-ups';
import { describeChanges } from '../../../test/contracts/documents/changes';
import { createHarness } from '../../../test/contracts/harness';
import { InMemoryDocuments } from '../../../test/doubles/documents';
import { createLocalWakeUps } from './local';
describeWakeUps('no close', async () => ({ ...createLocalWakeUps(), close: async () => {} }), { crossClient: false });
describeWakeUps('no notify', async () => ({ ...createLocalWakeUps(), notify: () => {} }), { crossClient: false });
class NoClose extends InMemoryDocuments { override async close() {} }
describeChanges(createHarness(async () => new NoClose()));
