import type { RawData, WebSocket } from 'ws';

export type SocketFrame = readonly [data: RawData, isBinary: boolean];

const ENDED = { done: true, value: undefined } as const;

/**
 * The messages of a client from now on, for one reader; they end with the connection, also with one that is broken: the close that follows
 * is no fault of the reader. `on` of `node:events` would take 32 KiB for each client.
 * @param maxWaiting messages that are not read; beyond them the client is paused until all are
 */
export function framesOf(
  client: Pick<WebSocket, 'on' | 'off' | 'pause' | 'resume'>,
  maxWaiting: number,
): AsyncIterable<SocketFrame> {
  const waiting: SocketFrame[] = [];
  let [isEnded, isPaused] = [false, false];
  let wake = (): void => undefined;
  const receive = (data: RawData, isBinary: boolean): void => {
    waiting.push([data, isBinary]);
    if (waiting.length > maxWaiting && !isPaused) {
      isPaused = true;
      client.pause();
    }
    wake();
  };
  const end = (): void => {
    isEnded = true;
    wake();
  };
  const resume = (): void => {
    if (isPaused) client.resume();
    isPaused = false;
  };
  client.on('message', receive).on('close', end).on('error', end);

  const next = async (): Promise<IteratorResult<SocketFrame>> => {
    while (waiting.length === 0 && !isEnded) await new Promise<void>(resolve => (wake = resolve));
    const value = waiting.shift();
    if (!value) return ENDED;
    if (waiting.length === 0) resume();
    return { done: false, value };
  };
  const stop = async (): Promise<IteratorReturnResult<undefined>> => {
    client.off('message', receive).off('close', end).off('error', end);
    waiting.length = 0;
    resume();
    end();
    return ENDED;
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: stop }) };
}
