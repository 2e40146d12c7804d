import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { redactedUrl } from '../../../contracts/url/redacted-url';

export interface SlotNotifications {
  /** Resolves at the next new slot, or after `timeoutMs`. */
  next(timeoutMs: number): Promise<void>;
}

const SUBSCRIBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'slotSubscribe', params: [] });
const HANDSHAKE_TIMEOUT_MS = 10_000;
const RECONNECT_MS = 1_000;
const MAX_RECONNECT_MS = 30_000;

/**
 * Subscribes to new slots at the first node that allows it. Notifications are hints: one that is lost between two
 * connections, or announces a slot that is skipped, costs a wait and never a block. `Connection` would do the same but
 * write to the console every second while a node is down.
 */
export function subscribeToSlots(
  urls: readonly string[],
  {
    logger,
    signal,
    onConnected,
  }: {
    readonly logger: Logger;
    readonly signal: AbortSignal;
    /** @param index of the URL */
    onConnected(index: number): void;
  },
): SlotNotifications {
  const waiting = new Set<() => void>();
  const notify = (): void => waiting.forEach(resolve => resolve());
  let socket: WebSocket | null = null;
  let retry: NodeJS.Timeout | undefined;

  function connect(attempt: number): void {
    const index = attempt % urls.length;
    const url = urls[index];
    if (url === undefined || signal.aborted) return;
    let failures = attempt;
    const opened = new WebSocket(url, { handshakeTimeout: HANDSHAKE_TIMEOUT_MS });
    socket = opened;
    opened.on('open', () => {
      opened.send(SUBSCRIBE);
      onConnected(index);
    });
    opened.on('message', () => {
      failures = 0;
      notify();
    });
    opened.on('error', error =>
      logger.debug({ url: redactedUrl(url), err: error }, 'solana slot subscription failed'),
    );
    opened.on('close', () => {
      const pause = Math.min(RECONNECT_MS * 2 ** Math.min(failures, 5), MAX_RECONNECT_MS);
      retry = setTimeout(connect, pause, failures + 1);
      retry.unref();
    });
  }
  const stop = (): void => {
    clearTimeout(retry);
    socket?.removeAllListeners('close').terminate();
    notify();
  };
  signal.addEventListener('abort', stop, { once: true });
  connect(0);

  return {
    next(timeoutMs) {
      if (signal.aborted) return Promise.resolve();
      return new Promise(resolve => {
        const done = (): void => {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        waiting.add(done);
      });
    },
  };
}
