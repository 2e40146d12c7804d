import type { Logger } from 'pino';
import { WebSocket } from 'ws';

export interface Waker {
  /** Resolves at the next notification of a slot, or at the time-out (milliseconds). */
  next(timeout: number): Promise<void>;
}

const SUBSCRIBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'slotSubscribe', params: [] });
const LONGEST_PAUSE = 30_000;

/**
 * Listens for new slots at the first of the nodes that lets us. Notifications only wake: one that is missed between
 * two connections, or tells of a slot that comes to nothing, costs a wait and never a block. `Connection` would do the
 * same but complain to the console every second that a node is away.
 */
export function createWaker(urls: readonly string[], logger: Logger, signal: AbortSignal): Waker {
  const waiting = new Set<() => void>();
  const wake = (): void => waiting.forEach(resolve => resolve());
  let socket: WebSocket | null = null;
  let retry: NodeJS.Timeout | undefined;

  function connect(attempt: number): void {
    const url = urls[attempt % urls.length];
    if (url === undefined || signal.aborted) return;
    let failures = attempt;
    const opened = new WebSocket(url, { handshakeTimeout: 10_000 });
    socket = opened;
    opened.on('open', () => opened.send(SUBSCRIBE));
    opened.on('message', () => {
      failures = 0;
      wake();
    });
    opened.on('error', error =>
      logger.debug({ url, error: String(error) }, 'solana slot notifications failed'),
    );
    opened.on('close', () => {
      const pause = Math.min(1_000 * 2 ** Math.min(failures, 5), LONGEST_PAUSE);
      retry = setTimeout(connect, pause, failures + 1);
      retry.unref();
    });
  }
  const stop = (): void => {
    clearTimeout(retry);
    socket?.removeAllListeners('close').terminate();
    wake();
  };
  signal.addEventListener('abort', stop, { once: true });
  connect(0);

  return {
    next(timeout) {
      if (signal.aborted) return Promise.resolve();
      return new Promise(resolve => {
        const done = (): void => {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, timeout);
        waiting.add(done);
      });
    },
  };
}
