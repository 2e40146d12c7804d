import type { Logger } from 'pino';
import { withTimeout } from '../../../../contracts/retry/with-timeout';
import { acceptAppend, type ValidatedAppend } from '../validate-append';
import { createBatchAppend } from './batch-append';
import { RESPONSE_TIMEOUT_MS } from './connection';
import { createDeletion } from './delete-events';
import { unavailable } from './errors';
import { positionBefore } from './idle-progress';
import { openConnection } from './open-connection';
import { createReader } from './reader';
import { subscribe } from './subscription';
import type { AppendResult, EventStore } from '../../../../contracts/ports/event-store';

export interface EventStoreDbOptions {
  /** Connection string of the server or cluster, TLS and credentials included. */
  readonly url: string;
  /** For subscriptions that were interrupted and resumed. */
  readonly logger?: Pick<Logger, 'warn'>;
}

/**
 * An event store in EventStoreDB (22.6 or later) or KurrentDB.
 *
 * A repeated append is recognized by the ids of its events. When a revision or no stream is expected, the server
 * compares them with the stream itself, at any later time. When `any` or `stream_exists` is expected, it has recent ids
 * in memory only: a repetition after a restart of the server, or after very many other events, is a new append. Callers
 * that need certainty expect a revision, as all command handlers do.
 *
 * @throws CannotOpen
 */
export async function openEventStoreDb({ url, logger }: EventStoreDbOptions): Promise<EventStore> {
  const connection = await openConnection(url);
  const reader = createReader(connection);
  const batchAppend = createBatchAppend(connection);
  const deleteEvents = createDeletion({ connection, reader, append: batchAppend });
  const closed = new AbortController();
  let closing: Promise<void> | null = null;

  const pending = new Set<Promise<unknown>>();

  const positionAt = async (stream: string, revision: number): Promise<number> => {
    for await (const { position } of reader.readStream(stream, { from: revision, limit: 1 })) return position;
    throw unavailable(`it acknowledged event ${revision} of ${stream} but cannot read it yet`);
  };

  const appended = async (append: ValidatedAppend): Promise<AppendResult> => {
    const endsAt = performance.now() + RESPONSE_TIMEOUT_MS;
    const { stream } = append;
    const { revision, position } = await batchAppend(append);
    if (position !== null) return { revision, position };
    const leftMs = endsAt - performance.now();
    const found = await withTimeout(leftMs, positionAt(stream, revision), () => {
      throw unavailable(`it acknowledged event ${revision} of ${stream} and did not say where in time`);
    });
    return { revision, position: found };
  };

  return {
    append: async (stream, expected, events) => {
      const validated = acceptAppend(stream, expected, events);
      if (closing) throw unavailable('it is closed');
      const appending = appended(validated);
      pending.add(appending);
      return appending.finally(() => pending.delete(appending));
    },
    deleteUpTo: async (stream, revision) => {
      if (closing) throw unavailable('it is closed');
      await deleteEvents(stream, revision);
    },
    readStream: reader.readStream,
    readAll: reader.readAll,
    subscribe: options =>
      subscribe(
        { connection, logger },
        { ...options, signal: AbortSignal.any([options.signal, closed.signal]) },
      ),
    head: reader.head,
    // A follower that is behind has lost nothing.
    end: () => positionBefore(connection, 'end', { requiresLeader: true }),
    close: () =>
      (closing ??= (async () => {
        closed.abort();
        await Promise.allSettled(pending);
        await connection.close();
      })()),
  };
}
