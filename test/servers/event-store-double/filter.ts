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

/** The events of a page of a filtered read, and the pages between two checkpoints; null without a filter. */
export function searchWindow(
  options: ReadReq.Options,
): { readonly window: number; readonly multiplier: number } | null {
  const filter = options.getFilter();
  if (!filter) return null;
  return {
    window: filter.hasMax() ? filter.getMax() : 32,
    multiplier: filter.getCheckpointintervalmultiplier(),
  };
}
