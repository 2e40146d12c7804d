import type { Log } from '../../contracts/ports/log';
import { describeBatches } from './log/batches';
import { describeConsumerGroups } from './log/consumer-groups';
import { describeDeleting } from './log/deleting';
import { createLogHarness } from './log/fixtures';
import type { Open } from './harness';
import { describePublishing } from './log/publishing';
import { describeReading } from './log/reading';
import { describeRebalancing } from './log/rebalancing';

/**
 * The contract of the log port, for every adapter.
 *
 * @param open opens the log with a name that is new for each test; twice with one name gives two clients of the same log.
 *   Names may share one broker: no test depends on the topics of others.
 * @param options `deletes`: whether it can delete single messages
 */
export function describeLog(name: string, open: Open<Log>, { deletes = true } = {}): void {
  describe(`log in ${name}`, () => {
    const harness = createLogHarness(open);
    describePublishing(harness);
    describeReading(harness);
    if (deletes) describeDeleting(harness);
    describeConsumerGroups(harness);
    describeBatches(harness);
    describeRebalancing(harness);
  });
}
