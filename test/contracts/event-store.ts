import type { EventStore } from '../../contracts/ports/event-store';
import { describeAppends } from './event-store/appends';
import { describeDeletions } from './event-store/deletions';
import { describeEventData } from './event-store/event-data';
import { describeGlobalOrder } from './event-store/global-order';
import { describeCatchUp } from './event-store/catch-up';
import { type Open, createHarness } from './harness';
import { describeIdempotentAppends } from './event-store/idempotent-appends';
import { describeStreams } from './event-store/streams';
import { describeSubscriptions } from './event-store/subscriptions';
import { describeVanishedRecords, type Vanish } from './event-store/vanished-records';

/**
 * The contract of the event store port, for every adapter.
 *
 * @param open opens the store with a name that is new for each test; twice with one name gives two clients of the same
 *   events. Names may share one server: no test depends on the events of others.
 * @param vanish for stores of which operators can remove records
 */
export function describeEventStore(name: string, open: Open<EventStore>, vanish?: Vanish): void {
  describe(`event store in ${name}`, () => {
    const harness = createHarness(open);
    describeAppends(harness);
    describeIdempotentAppends(harness);
    describeStreams(harness);
    describeGlobalOrder(harness);
    describeSubscriptions(harness);
    describeCatchUp(harness);
    describeEventData(harness);
    describeDeletions(harness);
    if (vanish) describeVanishedRecords(harness, vanish);
  });
}
