import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CONNECTION_REMEMBERED_MS,
  MAX_CLIENTS_OF_STREAM,
  type ConnectionOrigin,
  type ConnectionOrigins,
} from '../../../contracts/ports/connection-origins';

/** How often open streams are stored again, so that they are remembered for as long as they are open. */
const REFRESH_MS = CONNECTION_REMEMBERED_MS / 5;
/** After something could not be stored. */
const RETRY_MS = 1_000;
/** Streams that are stored at a time. */
const BATCH = 200;

interface OpenStream {
  readonly clients: readonly string[];
  readonly from: ConnectionOrigin;
}

/** Stores that clients use an origin now. */
type Store = (clients: readonly string[], from: ConnectionOrigin) => Promise<unknown> | undefined;

/** The open streams of this process, which are stored when they are opened and closed, and in between again and again. */
export function createOpenStreams(store: Store, refreshMs = REFRESH_MS) {
  const streams = new Set<OpenStream>();
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;

  const schedule = (afterMs: number): void => {
    clearTimeout(timer);
    timer = streams.size > 0 ? setTimeout(() => void refresh(), afterMs).unref() : undefined;
  };
  const refresh = async (): Promise<void> => {
    hasFailed = false;
    const open = [...streams];
    for (let at = 0; at < open.length; at += BATCH) {
      const batch = open.slice(at, at + BATCH).filter(stream => streams.has(stream));
      const stored = await Promise.allSettled(batch.map(async ({ clients, from }) => store(clients, from)));
      hasFailed ||= stored.some(({ status }) => status === 'rejected');
      await nextTurn();
    }
    schedule(hasFailed ? RETRY_MS : refreshMs);
  };
  const storeOrRetry = ({ clients, from }: OpenStream): void => {
    store(clients, from)?.catch(() => {
      hasFailed = true;
      schedule(RETRY_MS);
    });
  };

  const opened: ConnectionOrigins['opened'] = (clients, from) => {
    const stream = { clients: clients.slice(0, MAX_CLIENTS_OF_STREAM), from };
    streams.add(stream);
    if (!timer) schedule(refreshMs);
    storeOrRetry(stream);
    return () => {
      if (streams.delete(stream)) storeOrRetry(stream);
    };
  };
  return {
    opened,
    close: (): void => {
      clearTimeout(timer);
      streams.clear();
    },
  };
}
