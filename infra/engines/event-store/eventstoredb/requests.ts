import { Empty, StreamIdentifier } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { Position } from '../../../../contracts/position';
import type { ReadStreamOptions } from '../../../../contracts/ports/event-store';
import type { Selection } from './selection';

type Options = ReadReq.Options;
type Direction = NonNullable<ReadStreamOptions['direction']>;

/** Events the server considers in one go; in a subscription also those between two checkpoints. */
const SEARCH_WINDOW = 100;

const DIRECTIONS = { forwards: 0, backwards: 1 } as const;

export function streamIdentifier(stream: string): StreamIdentifier {
  return new StreamIdentifier().setStreamName(Buffer.from(stream));
}

const newOptions = (): Options =>
  new ReadReq.Options().setUuidOption(new ReadReq.Options.UUIDOption().setString(new Empty()));

const countOf = (limit: number | undefined): string =>
  String(Math.min(limit ?? Infinity, Number.MAX_SAFE_INTEGER));

const toAll = (options: Options, from: Position | 'start' | 'end'): Options => {
  const all = new ReadReq.Options.AllOptions();
  if (from === 'start') return options.setAll(all.setStart(new Empty()));
  if (from === 'end') return options.setAll(all.setEnd(new Empty()));
  const position = new ReadReq.Options.Position();
  return options.setAll(
    all.setPosition(position.setCommitPosition(String(from)).setPreparePosition(String(from))),
  );
};

const filtered = (options: Options, selection: Selection | null): Options => {
  if (!selection) return options.setNoFilter(new Empty());
  const { filter } = selection;
  const expression = new ReadReq.Options.FilterOptions.Expression();
  if ('regex' in filter) expression.setRegex(filter.regex);
  else expression.setPrefixList([...filter.prefixes]);
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
  return new ReadReq().setOptions(filtered(request, null));
}

/** Forwards the answer begins with the event at `from`, backwards with the one before it. */
export function readAllRequest(
  from: Position | 'start' | 'end',
  direction: Direction,
  selection: Selection | null,
  limit?: number,
): ReadReq {
  const request = newOptions().setReadDirection(DIRECTIONS[direction]).setCount(countOf(limit));
  return new ReadReq().setOptions(filtered(toAll(request, from), selection));
}

/** The answer begins with the first event after `from`, and never ends. */
export function subscribeRequest(from: Position | 'start', selection: Selection): ReadReq {
  const request = newOptions().setSubscription(new ReadReq.Options.SubscriptionOptions());
  return new ReadReq().setOptions(filtered(toAll(request, from), selection));
}
