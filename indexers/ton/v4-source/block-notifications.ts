import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { withoutTrailingSlashes } from '../../../contracts/url/trailing-slashes';

const RETRY_MS = 1_000;

interface BlockNotifications {
  /** Resolves at the next notification (immediately if there was one since the last call), or after `timeoutMs`. */
  waitForBlock(timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Between two polls while notifications come. */
const NOTIFIED_POLL_MS = 3_000;

/**
 * Subscribes to `/block/watch` of the first endpoint that has it. A notification is only a hint to poll: its content is
 * not used, and without a connection the caller polls at its own timeout.
 */
export function subscribeToBlocks(
  endpoints: readonly string[],
  onConnected: (endpoint: number) => void,
): BlockNotifications {
  const blocks = new EventEmitter();
  let socket: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let notified = false;
  /** Whether this connection has notified of a block. */
  let isNotifying = false;
  let closed = false;

  function connect(index: number): void {
    const url = withoutTrailingSlashes(endpoints[index]!).replace(/^http/, 'ws');
    socket = new WebSocket(`${url}/block/watch`);
    socket.on('open', () => onConnected(index));
    socket.on('message', () => {
      notified = true;
      isNotifying = true;
      blocks.emit('block');
    });
    socket.on('error', () => undefined); // `close` follows
    socket.on('close', () => {
      isNotifying = false;
      if (!closed) retry = setTimeout(connect, RETRY_MS, (index + 1) % endpoints.length).unref();
    });
  }

  connect(0);
  return {
    async waitForBlock(timeoutMs, signal) {
      if (!notified) {
        const done = new AbortController();
        const options = { signal: AbortSignal.any([signal, done.signal]) };
        const timeout = sleep(
          isNotifying ? Math.max(timeoutMs, NOTIFIED_POLL_MS) : timeoutMs,
          undefined,
          options,
        );
        await Promise.race([once(blocks, 'block', options), timeout]).catch(() => undefined);
        done.abort();
      }
      notified = false;
    },
    close() {
      closed = true;
      clearTimeout(retry);
      socket?.terminate();
    },
  };
}
