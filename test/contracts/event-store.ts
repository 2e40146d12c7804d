import type { EventStore } from '../../contracts/ports/event-store';
import { describeAppends } from './event-store/appends';
import { describeContents } from './event-store/contents';
import { describeGlobalOrder } from './event-store/global-order';
import { describeHandOver } from './event-store/hand-over';
import { type Open, placesOf } from './places';
import { describeRepeats } from './event-store/repeats';
import { describeStreams } from './event-store/streams';
import { describeSubscriptions } from './event-store/subscriptions';

/**
 * What every adapter of the event store port does.
 *
 * @param open opens the store at a place, a name that is new for each test; twice for one place gives two clients of
 *   the same events. Places may share one server: no test minds the events of others.
 */
export function describeEventStore(name: string, open: Open<EventStore>): void {
  describe(`event store in ${name}`, () => {
    const places = placesOf(open);
    describeAppends(places);
    describeRepeats(places);
    describeStreams(places);
    describeGlobalOrder(places);
    describeSubscriptions(places);
    describeHandOver(places);
    describeContents(places);
  });
}
