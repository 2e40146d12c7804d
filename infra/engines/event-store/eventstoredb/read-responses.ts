import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { type Connection, type ReadOptions, RESPONSE_TIMEOUT_MS } from './connection';
import type { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { createBackoff } from '../../../../contracts/retry/backoff';
import { isConnectionLost, isForAnotherNode, toEngineError, unavailable } from './errors';
import { MAX_REDIRECT_MS, MIN_REDIRECT_MS, type Node, SILENCE_MS, SilentNode } from './node';
import { isFiltered } from './read-requests';
import { eventOf, type Recorded, sizeOf } from './recorded-events';

/** The responses to one read, with backpressure on the server while they are not consumed. */
export interface ResponseStream {
  /**
   * At most `maxResponses` in order, null at the end. Waits for the first one, and returns none when it does not arrive
   * in time.
   * @throws EngineUnavailable after the last response
   */
  take(maxResponses: number, timeoutMs: number): Promise<ReadResp[] | null>;
  readonly node: Node;
  /** Ends a pending `take` too. */
  close(): void;
}

const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** @param capacity responses to buffer; fewer when they are large */
export async function openResponseStream(
  connection: Connection,
  request: ReadReq,
  capacity: number,
  options?: ReadOptions,
): Promise<ResponseStream> {
  const { call, node } = await connection.read(request, options);
  const buffer: ReadResp[] = [];
  let bytes = 0;
  let ended: Error | 'end' | null = null;
  let wake = (): void => undefined;

  const end = (reason: Error | 'end'): void => {
    ended ??= reason;
    wake();
  };
  call
    .on('data', (response: ReadResp) => {
      buffer.push(response);
      bytes += sizeOf(response);
      if (buffer.length >= capacity || bytes >= MAX_BUFFERED_BYTES) call.pause();
      wake();
    })
    .on('end', () => end('end'))
    .on('error', error => end(toEngineError(error)));

  const arrival = (timeoutMs: number): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, timeoutMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  return {
    node,
    take: async (maxResponses, timeoutMs) => {
      if (buffer.length === 0 && !ended) {
        await arrival(timeoutMs);
        // Responses that arrived in one packet are emitted one by one: let them accumulate.
        await turn();
      }
      if (buffer.length > 0) {
        const taken = buffer.splice(0, maxResponses);
        bytes = buffer.reduce((sum, response) => sum + sizeOf(response), 0);
        call.resume();
        return taken;
      }
      if (ended === null) return [];
      if (ended === 'end') return null;
      throw ended;
    },
    close: () => {
      buffer.length = 0;
      end('end');
      call.cancel();
      // One that has ended is not cancelled: unread, it would keep the client from closing.
      call.destroy();
    },
  };
}

const noResponse = (): EngineUnavailable =>
  unavailable(`no response to a read within ${RESPONSE_TIMEOUT_MS / 1000} s`);

/**
 * All events of a finite read, in batches, from the node to which it is redirected, or another one when its connection is lost before
 * the first event, until there is no time left.
 */
export async function* readEvents(
  connection: Connection,
  request: ReadReq,
  capacity: number,
  options: ReadOptions = {},
): AsyncGenerator<Recorded[]> {
  const endsAt = performance.now() + RESPONSE_TIMEOUT_MS;
  const redirects = createBackoff(MIN_REDIRECT_MS, MAX_REDIRECT_MS);
  for (;;) {
    const timeoutMs = endsAt - performance.now();
    if (timeoutMs <= 0) throw noResponse();
    let hasBegun = false;
    try {
      for await (const batch of readOnce(connection, request, capacity, { ...options, timeoutMs })) {
        hasBegun = true;
        yield batch;
      }
      return;
    } catch (error) {
      if (error instanceof SilentNode) continue;
      const pauseMs = redirects.next();
      const isForAnother = !hasBegun && (isForAnotherNode(error) || isConnectionLost(error));
      if (!isForAnother || performance.now() + pauseMs >= endsAt) throw error;
      await pause(pauseMs);
    }
  }
}

async function* readOnce(
  connection: Connection,
  request: ReadReq,
  capacity: number,
  options: ReadOptions & { readonly timeoutMs: number },
): AsyncGenerator<Recorded[]> {
  let endsAt = performance.now() + options.timeoutMs;
  const responses = await openResponseStream(connection, request, capacity, options);
  let hasBegun = false;
  try {
    for (;;) {
      const leftMs = endsAt - performance.now();
      const taken = await responses.take(capacity, Math.max(0, Math.min(leftMs, SILENCE_MS)));
      if (taken === null) return;
      if (taken.length > 0) {
        hasBegun = true;
        yield taken.map(eventOf).filter(event => event !== undefined);
        endsAt = performance.now() + RESPONSE_TIMEOUT_MS;
        continue;
      }
      if (!isFiltered(request) && performance.now() >= endsAt) throw noResponse();
      const answers = await responses.node.answers();
      if (!answers && !hasBegun) throw new SilentNode();
      // Nothing is sent while the server scans events that do not match.
      if (answers && isFiltered(request)) endsAt = performance.now() + RESPONSE_TIMEOUT_MS;
      else if (performance.now() >= endsAt) throw noResponse();
    }
  } finally {
    responses.close();
  }
}
