import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { status } from '@grpc/grpc-js';
import { BEGINNING, type Position } from '../../../contracts/position';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import {
  caughtUpResponse,
  checkpointResponse,
  confirmationResponse,
  emptyCheckpointResponse,
  eventResponse,
  pageStartResponse,
} from './responses';
import { filterOf, searchWindow } from './filter';
import { givenPosition } from './given-position';
import type { NodeState } from './node-state';
import type { ServerLog } from './server-log';
import { StatusError } from './status-error';

/** Matching events in a page of catching up; also the events that wait for a consumer of live ones. */
const BUFFER = 32;

const TOO_SLOW =
  'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.';

type Options = ReadReq.Options;

/** Resolves when the call can take the next response. */
export type Send = (response: ReadResp) => Promise<void>;

interface Subscription {
  readonly store: ServerLog;
  readonly node: NodeState;
  readonly passes: (event: RecordedEvent) => boolean;
  /** Events between two checkpoints; null without a filter, and so without checkpoints. */
  readonly interval: number | null;
  readonly window: number;
  readonly send: Send;
  readonly cancelled: AbortSignal;
}

/**
 * Behind which position it begins. Before 24.2 that is the first record at or after the given one, whichever it is, and whatever is
 * new when there is none: even what is before a position beyond the end.
 */
const startOf = async (store: ServerLog, node: NodeState, options: Options): Promise<Position> => {
  const all = options.getAll();
  if (all?.hasEnd()) return store.head();
  const given = all ? await givenPosition(store, all) : null;
  if (!given) return BEGINNING;
  const { position } = given;
  if (node.release === '24.2') return position;
  for await (const [first] of store.readAll({ after: Math.max(position - 1, BEGINNING), limit: 1 }))
    if (first) return first.position;
  return Math.min(position, await store.next()) - 1;
};

const ofStream = (options: Options): ((event: RecordedEvent) => boolean) => {
  const of = options.getStream();
  if (!of) return filterOf(options);
  const stream = Buffer.from(of.getStreamIdentifier()!.getStreamName_asU8()).toString();
  const after = of.hasRevision() ? Number(of.getRevision()) : -1;
  return event => event.stream === stream && event.revision > after;
};

/** Catches up page by page, then delivers new events, with the checkpoints of the server. */
export async function serveSubscription(
  store: ServerLog,
  node: NodeState,
  options: Options,
  send: Send,
  cancelled: AbortSignal,
): Promise<void> {
  const { window, multiplier } = searchWindow(options) ?? { window: BUFFER, multiplier: null };
  const interval = multiplier === null ? null : window * multiplier;
  const subscription: Subscription = {
    store,
    node,
    window,
    interval,
    send,
    cancelled,
    passes: ofStream(options),
  };
  const after = await startOf(store, node, options);
  await send(confirmationResponse(randomUUID()));
  if (interval !== null) await send(await firstCheckpoint(store, node, after));
  const { reached, considered } = await catchUp(subscription, after);
  await send(caughtUpResponse());
  await follow(subscription, reached, considered);
}

/** Where it begins; before 24.2 that is the position of the next record, or of the end. */
async function firstCheckpoint(store: ServerLog, node: NodeState, after: Position): Promise<ReadResp> {
  if (node.hasEmptyCheckpoints) return emptyCheckpointResponse();
  if (node.release === '24.2') return checkpointResponse(Math.max(after, 0));
  if (after === BEGINNING) return pageStartResponse('start');
  for await (const [next] of store.readAll({ after, limit: 1 }))
    if (next) return pageStartResponse(next.position);
  return pageStartResponse(await store.next());
}

/**
 * Reads to the end. A checkpoint follows a page that is not the last one: the last event of the page that matched, or where
 * the page began.
 */
async function catchUp(
  { store, node, passes, interval, window, send, cancelled }: Subscription,
  after: Position,
): Promise<{ readonly reached: Position; readonly considered: number }> {
  const newPage = (start: Position | 'start') => ({ start, considered: 0, matches: 0, last: BEGINNING });
  let page: ReturnType<typeof newPage> | null = null;
  let sinceCheckpoint = 0;
  let hasMatched = false;
  let reached = after;

  const endPage = async ({ start, considered, last }: NonNullable<typeof page>): Promise<void> => {
    sinceCheckpoint += considered;
    if (interval === null || sinceCheckpoint < interval) return;
    sinceCheckpoint %= interval;
    if (node.hasEmptyCheckpoints && !hasMatched) await send(emptyCheckpointResponse());
    else await send(last > BEGINNING ? checkpointResponse(last) : pageStartResponse(start));
  };

  for await (const batch of store.readAll({ after }))
    for (const event of batch) {
      if (cancelled.aborted) return { reached, considered: 0 };
      if (page && (page.considered === window || page.matches === BUFFER)) {
        await endPage(page);
        page = null;
      }
      page ??= newPage(reached === BEGINNING ? 'start' : event.position);
      page.considered += 1;
      reached = event.position;
      if (!passes(event)) continue;
      page.matches += 1;
      page.last = event.position;
      hasMatched = true;
      await send(eventResponse(event));
    }
  return { reached, considered: sinceCheckpoint + (page?.considered ?? 0) };
}

/** Before 24.2, a consumer that leaves more than a few events waiting is dropped. */
async function follow(
  { store, node, passes, interval, send, cancelled }: Subscription,
  after: Position,
  considered: number,
): Promise<void> {
  const waiting: ReadResp[] = [];
  let isSending = false;
  const sendWaiting = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    for (let next = waiting.shift(); next && !cancelled.aborted; next = waiting.shift()) await send(next);
    isSending = false;
  };
  const deliver = async (response: ReadResp): Promise<void> => {
    if (node.release === '24.2') return send(response);
    if (waiting.length === BUFFER) throw new StatusError(status.ABORTED, TOO_SLOW);
    waiting.push(response);
    void sendWaiting();
  };
  let sinceCheckpoint = considered;
  for await (const { events } of store.subscribe({ after, signal: cancelled }))
    for (const event of events) {
      if (passes(event)) await deliver(eventResponse(event));
      sinceCheckpoint += 1;
      if (interval !== null && sinceCheckpoint >= interval) {
        sinceCheckpoint %= interval;
        await deliver(checkpointResponse(event.position));
      }
      await turn();
    }
}
