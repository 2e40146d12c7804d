import type { Log } from '../../contracts/ports/log';
import { describeBatches } from './log/batches';
import { describeGroups } from './log/groups';
import { logsAt } from './log/places';
import type { Open } from './places';
import { describePublishing } from './log/publishing';
import { describeReading } from './log/reading';
import { describeSharing } from './log/sharing';

/**
 * What every adapter of the log port does.
 *
 * @param open opens the log at a place, a name that is new for each test; twice for one place gives two clients of the
 *   same log. Places may share one broker: no test minds the topics of others.
 */
export function describeLog(name: string, open: Open<Log>): void {
  describe(`log in ${name}`, () => {
    const places = logsAt(open);
    describePublishing(places);
    describeReading(places);
    describeGroups(places);
    describeBatches(places);
    describeSharing(places);
  });
}
