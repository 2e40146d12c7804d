import { Empty, StreamIdentifier } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { BEGINNING, type Position } from '../../../../contracts/position';
import type { ReadStreamOptions } from '../../../../contracts/ports/event-store';
import type { CategoryFilter } from './category-filter';

type Options = ReadReq.Options;
type Direction = NonNullable<ReadStreamOptions['direction']>;

/** Events that the server scans at a time; in a subscription also those between two checkpoints. */
export const SEARCH_WINDOW = 100;

const DIRECTIONS = { forwards: 0, backwards: 1 } as const;

export function streamIdentifier(stream: string): StreamIdentifier {
  return new StreamIdentifier().setStreamName(Buffer.from(stream));
}

const newOptions = (): Options =>
  new ReadReq.Options().setUuidOption(new ReadReq.Options.UUIDOption().setString(new Empty()));

const countOf = (limit: number | undefined): string =>
  String(Math.min(limit ?? Infinity, Number.MAX_SAFE_INTEGER));

const toAll = (options: Options, from: Position | 'end'): Options => {
  const all = new ReadReq.Options.AllOptions();
  if (from === 'end') return options.setAll(all.setEnd(new Empty()));
  if (from <= BEGINNING) return options.setAll(all.setStart(new Empty()));
  const position = new ReadReq.Options.Position();
  return options.setAll(
    all.setPosition(position.setCommitPosition(String(from)).setPreparePosition(String(from))),
  );
};

const setFilter = (options: Options, filter: CategoryFilter | null): Options => {
  if (!filter) return options.setNoFilter(new Empty());
  const { serverFilter } = filter;
  const expression = new ReadReq.Options.FilterOptions.Expression();
  if ('regex' in serverFilter) expression.setRegex(serverFilter.regex);
  else expression.setPrefixList([...serverFilter.prefixes]);
  return options.setFilter(
    new ReadReq.Options.FilterOptions()
      .setStreamIdentifier(expression)
      .setMax(SEARCH_WINDOW)
      .setCheckpointintervalmultiplier(1),
  );
};

export function readStreamRequest(stream: string, options: ReadStreamOptions): ReadReq {
  const { direction = 'forwards', from, limit } = options;
  const of = new ReadReq.Options.StreamOptions().setStreamIdentifier(streamIdentifier(stream));
  if (from !== undefined) of.setRevision(String(from));
  else if (direction === 'forwards') of.setStart(new Empty());
  else of.setEnd(new Empty());
  const request = newOptions().setStream(of).setReadDirection(DIRECTIONS[direction]).setCount(countOf(limit));
  return new ReadReq().setOptions(setFilter(request, null));
}

/** Forwards the response begins with the event at `from`, backwards with the one before it. */
export function readAllRequest(
  from: Position | 'end',
  direction: Direction,
  filter: CategoryFilter | null,
  limit?: number,
): ReadReq {
  const request = newOptions().setReadDirection(DIRECTIONS[direction]).setCount(countOf(limit));
  return new ReadReq().setOptions(setFilter(toAll(request, from), filter));
}

/** With a filter, nothing is sent while the server scans events that do not match. */
export function isFiltered(request: ReadReq): boolean {
  return request.getOptions()!.hasFilter();
}

/** The response begins with the first event after `from`, and never ends. */
export function subscribeRequest(from: Position, filter: CategoryFilter): ReadReq {
  const request = newOptions().setSubscription(new ReadReq.Options.SubscriptionOptions());
  return new ReadReq().setOptions(setFilter(toAll(request, from), filter));
}
