import { randomUUID } from 'node:crypto';
import { ScavengeResp, type StartScavengeReq } from '@eventstore/db-client/generated/operations_pb';
import type { handleUnaryCall } from '@grpc/grpc-js';
import type { Position } from '../../../contracts/position';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';

/** The server records its scavenges too, so that none ends the log. */
const SCAVENGES = '$scavenges';

/** The first revisions that a scavenge leaves, by stream. */
export type Beginnings = Readonly<Record<string, number>>;

/** A store from which records vanish: reads leave them out, and positions have no record where they were. */
export interface ScavengedStore extends EventStore {
  /** Removes the records before the beginnings, all but those that are appended meanwhile. */
  scavenge(beginnings: Beginnings): Promise<void>;
}

interface Removed {
  readonly before: number;
  readonly upTo: Position;
}

export async function openScavengedStore(store: EventStore): Promise<ScavengedStore> {
  const removed = new Map<string, Removed>();
  const remove = ({ data, position }: RecordedEvent): void => {
    for (const [stream, before] of Object.entries(data['beginnings'] as Beginnings))
      removed.set(stream, { before, upTo: position });
  };
  for await (const event of store.readStream(SCAVENGES)) remove(event);

  const isLeft = ({ stream, revision, position }: RecordedEvent): boolean => {
    const { before, upTo } = removed.get(stream) ?? { before: 0, upTo: 0 };
    return revision >= before || position > upTo;
  };

  return {
    ...store,
    async *readStream(...read) {
      for await (const event of store.readStream(...read)) if (isLeft(event)) yield event;
    },
    async *readAll({ limit = Infinity, ...options } = {}) {
      let left = limit;
      if (left <= 0) return;
      for await (const batch of store.readAll(options)) {
        const events = batch.filter(isLeft).slice(0, left);
        left -= events.length;
        if (events.length > 0) yield events;
        if (left === 0) return;
      }
    },
    async scavenge(beginnings) {
      await store.append(SCAVENGES, 'any', [
        { id: randomUUID(), type: '$scavengeCompleted', data: { beginnings } },
      ]);
      for await (const event of store.readStream(SCAVENGES, { direction: 'backwards', limit: 1 }))
        remove(event);
    },
  };
}

/** Answers when it is done, unlike the server. */
export function startScavenge(
  scavenge: () => Promise<void>,
): handleUnaryCall<StartScavengeReq, ScavengeResp> {
  return (_call, respond) =>
    void scavenge().then(
      () =>
        respond(
          null,
          new ScavengeResp()
            .setScavengeId(randomUUID())
            .setScavengeResult(ScavengeResp.ScavengeResult.STARTED),
        ),
      (error: Error) => respond(error),
    );
}
