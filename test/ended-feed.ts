import { EventFeed, Frame } from '../services/http/event-feed';

/** An event stream that ends after these events, if any. */
export function endedFeed(...events: readonly string[]): EventFeed {
  return new EventFeed(stream => {
    stream.write(events.map(text => new Frame(`data: ${text}\n\n`)));
    stream.end();
    return { drained: () => undefined, closed: () => undefined };
  }, new Frame(': heartbeat\n\n'));
}
