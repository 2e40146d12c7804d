import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { RecordedEvent } from '../../../contracts/ports/event-store';

type Predicate = (event: RecordedEvent) => boolean;

/** By stream name or event type, each by a regular expression or by prefixes. */
export function filterOf(options: ReadReq.Options): Predicate {
  const filter = options.getFilter();
  if (!filter) return () => true;
  const byStream = filter.getStreamIdentifier();
  const expression = byStream ?? filter.getEventType()!;
  const pattern = expression.getRegex() === '' ? null : new RegExp(expression.getRegex());
  const prefixes = expression.getPrefixList();
  return ({ stream, type }) => {
    const text = byStream ? stream : type;
    return pattern ? pattern.test(text) : prefixes.some(prefix => text.startsWith(prefix));
  };
}

/** Events scanned between two checkpoints; null without a filter, and so without checkpoints. */
export function checkpointInterval(options: ReadReq.Options): number | null {
  const filter = options.getFilter();
  if (!filter) return null;
  const window = filter.hasMax() ? filter.getMax() : 32;
  return window * filter.getCheckpointintervalmultiplier();
}
