import { WebSocket } from 'ws';

const RECONNECT = 1_000;

export interface BlockWatch {
  news(timeout: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/**
 * Listens to `/block/watch` of the first endpoint that has it. Only a hint to look at once: what it says is not
 * used, and while it is silent or cannot be reached the caller's time-out makes the pace.
 */
export function watchBlocks(endpoints: readonly string[]): BlockWatch {
  const waiting = new Set<() => void>();
  let socket: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let fresh = false;
  let closed = false;

  function wake(): void {
    fresh = true;
    for (const resolve of waiting) resolve();
  }

  function connect(index: number): void {
    const url = new URL(endpoints[index]!.replace(/\/+$/, '') + '/block/watch');
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    socket = new WebSocket(url);
    socket.on('message', wake);
    socket.on('error', () => undefined); // `close` follows
    socket.on('close', () => {
      if (!closed) retry = setTimeout(connect, RECONNECT, (index + 1) % endpoints.length).unref();
    });
  }

  connect(0);
  return {
    news: (timeout, signal) =>
      new Promise(resolve => {
        if (fresh || signal.aborted) {
          fresh = false;
          resolve();
          return;
        }
        const done = (): void => {
          clearTimeout(timer);
          waiting.delete(done);
          signal.removeEventListener('abort', done);
          fresh = false;
          resolve();
        };
        const timer = setTimeout(done, timeout);
        waiting.add(done);
        signal.addEventListener('abort', done);
      }),
    close() {
      closed = true;
      clearTimeout(retry);
      socket?.terminate();
    },
  };
}
