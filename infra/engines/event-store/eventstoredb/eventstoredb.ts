import type { Logger } from 'pino';
import { draft } from '../draft';
import { createAppends } from './appends';
import { unavailable } from './faults';
import { openConnection } from './opening';
import { createReads } from './reads';
import { subscribe } from './subscription';
import { createTide } from './tide';
import type { EventStore } from '../../../../contracts/ports/event-store';

export interface EventStoreDbOptions {
  /** Connection string of the server or cluster, TLS and credentials included. */
  readonly url: string;
  /** Gives up opening. */
  readonly signal?: AbortSignal;
  /** Hears of subscriptions that were cut and go on. */
  readonly logger?: Pick<Logger, 'warn'>;
}

/**
 * An event store in EventStoreDB (21.10 or later) or KurrentDB.
 *
 * A repeated append is known by the ids of its events. For as long as a revision or no stream is expected, the server
 * compares them with the stream itself, at any later time. When `any` or `stream_exists` is expected, it remembers
 * recent ids in memory only: a repetition after a restart of the server, or after very many other events, is a new
 * append. Whoever needs certainty expects a revision, as all command handlers do.
 *
 * @throws CannotOpen
 */
export async function openEventStoreDb({ url, signal, logger }: EventStoreDbOptions): Promise<EventStore> {
  const connection = await openConnection(url, signal);
  const reads = createReads(connection);
  const appends = createAppends(connection);
  const tide = createTide(reads.head);
  const closed = new AbortController();
  let closing: Promise<void> | null = null;

  const positionAt = async (stream: string, revision: number): Promise<number> => {
    for await (const { position } of reads.readStream(stream, { from: revision, limit: 1 })) return position;
    throw unavailable(`it acknowledges event ${revision} of ${stream} and does not have it yet`);
  };

  return {
    append: async (stream, expected, events) => {
      const checked = draft(stream, expected, events);
      if (closing) throw unavailable('it was closed');
      const { revision, position } = await appends.append(checked);
      const appended = { revision, position: position ?? (await positionAt(stream, revision)) };
      tide.saw(appended.position);
      return appended;
    },
    readStream: reads.readStream,
    readAll: reads.readAll,
    subscribe: options =>
      subscribe(
        { connection, tide, logger },
        { ...options, signal: AbortSignal.any([options.signal, closed.signal]) },
      ),
    head: reads.head,
    close: () =>
      (closing ??= (async () => {
        closed.abort();
        await appends.drained();
        await connection.close();
      })()),
  };
}
