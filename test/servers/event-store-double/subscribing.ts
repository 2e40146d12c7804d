import { randomUUID } from 'node:crypto';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { BEGINNING, type Position } from '../../../contracts/position';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';
import {
  caughtUpResponse,
  checkpointResponse,
  confirmationResponse,
  emptyCheckpointResponse,
  eventResponse,
  pageEndResponse,
} from './responses';
import { checkpointInterval, filterOf } from './filter';
import { fromLog } from './log-position';
import type { NodeState } from './node-state';

const PAGE = 32;

type Options = ReadReq.Options;

const startOf = async (store: EventStore, options: Options): Promise<Position> => {
  const all = options.getAll();
  if (all?.hasPosition()) return fromLog(all.getPosition()!.getCommitPosition());
  return all?.hasEnd() ? store.head() : BEGINNING;
};

const ofStream = (options: Options): ((event: RecordedEvent) => boolean) => {
  const of = options.getStream();
  if (!of) return filterOf(options);
  const stream = Buffer.from(of.getStreamIdentifier()!.getStreamName_asU8()).toString();
  const after = of.hasRevision() ? Number(of.getRevision()) : -1;
  return event => event.stream === stream && event.revision > after;
};

/** Resolves when the call can take the next response. */
export type Send = (response: ReadResp) => Promise<void>;

/**
 * Catches up, then delivers new events. Sends checkpoints after every so many scanned events and at the end of catching up,
 * with the same meaning as those of the server: the end of a page while catching up, then the event itself.
 */
export async function serveSubscription(
  store: EventStore,
  node: NodeState,
  options: Options,
  send: Send,
  cancelled: AbortSignal,
): Promise<void> {
  const after = await startOf(store, options);
  const end = await store.head();
  const passes = ofStream(options);
  const interval = checkpointInterval(options);
  await send(confirmationResponse(randomUUID()));

  let considered = 0;
  let isBehind = true;
  let hasMatched = false;
  const sendCheckpoint = (position: Position): Promise<void> => {
    if (!isBehind) return send(checkpointResponse(position));
    return send(
      node.hasEmptyCheckpoints && !hasMatched ? emptyCheckpointResponse() : pageEndResponse(position),
    );
  };
  const catchUp = async (): Promise<void> => {
    if (interval !== null && end > after) await sendCheckpoint(end);
    isBehind = false;
    await send(caughtUpResponse());
  };
  if (end <= after) await catchUp();
  for await (const batch of store.subscribe({ after, batchSize: PAGE, signal: cancelled })) {
    for (const event of batch.events) {
      if (passes(event)) {
        hasMatched = true;
        await send(eventResponse(event));
      }
      considered += 1;
      if (considered === interval) {
        considered = 0;
        await sendCheckpoint(event.position);
      }
    }
    if (isBehind && batch.position >= end) await catchUp();
  }
}
