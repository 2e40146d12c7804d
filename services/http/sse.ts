import { once } from 'node:events';
import type { Response } from 'express';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Reply } from './call';
import type { ConnectionObserver } from './connections';
import type { IncomingCall } from './incoming-call';
import { isExpected, problemOf } from './problems';
import { releaseRequest } from './release-request';
import { headWith } from './send';

/** One event of a stream. `data` is sent as JSON. */
export interface ServerSentEvent<Data> {
  /** Type of the event; browsers use `message` by default. */
  readonly event?: string;
  /** A client that reconnects sends the last one as `Last-Event-ID`. */
  readonly id?: string;
  readonly data: Data;
}

export interface StreamingOptions {
  /** Validates what is sent; undefined to validate nothing. */
  readonly schema: z.ZodType | undefined;
  readonly heartbeatMs: number;
  readonly logger: Logger;
  readonly observer: ConnectionObserver | undefined;
}

/** The head of an event stream, names and values in turn. */
export const EVENT_STREAM_HEAD = [
  ['Content-Type', 'text/event-stream'],
  ['Cache-Control', 'private, no-cache, no-transform'],
  // Proxies based on nginx buffer otherwise.
  ['X-Accel-Buffering', 'no'],
].flat();
/** A comment, which clients ignore: keeps proxies from closing a connection without traffic. */
const HEARTBEAT = ': heartbeat\n\n';

/**
 * Sends events with backpressure, and heartbeats between them (WHATWG HTML, section 9.2). Ends with the events, or when
 * `call.signal` aborts: the client has disconnected or the program stops. After an error the connection is destroyed, so
 * that the client reconnects.
 */
export async function sendEvents(
  response: Response,
  reply: Reply<AsyncIterable<ServerSentEvent<unknown>>>,
  call: IncomingCall,
  { schema, heartbeatMs, logger, observer }: StreamingOptions,
): Promise<void> {
  const { signal } = call;
  const aborted = new Promise<null>(resolve =>
    signal.aborted ? resolve(null) : signal.addEventListener('abort', () => resolve(null), { once: true }),
  );
  response.writeHead(reply.status ?? 200, [...headWith(response, reply), ...EVENT_STREAM_HEAD]);
  response.flushHeaders();
  releaseRequest(response.req);
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(HEARTBEAT);
  }, heartbeatMs);
  const events = reply.body[Symbol.asyncIterator]();
  observer?.opened();
  try {
    for (;;) {
      const next = await Promise.race([events.next(), aborted]);
      if (next === null || next.done) break;
      const hasRoom = response.write(format(next.value, schema));
      observer?.sent();
      if (!hasRoom) await once(response, 'drain', { signal });
    }
    response.end();
  } catch (error) {
    if (signal.aborted) return void response.end();
    const { requestId } = call;
    const problem = problemOf(error);
    if (isExpected(problem)) logger.debug({ requestId, code: problem.code }, 'event stream ended');
    else logger.error({ err: error, requestId }, 'event stream failed');
    response.destroy();
  } finally {
    clearInterval(heartbeat);
    observer?.closed();
    // Not awaited: a generator that waits for its next event returns only after that.
    events.return?.().catch(() => undefined);
  }
}

function format({ event, id, data }: ServerSentEvent<unknown>, schema: z.ZodType | undefined): string {
  schema?.parse(data);
  const fields = [
    event === undefined ? '' : `event: ${oneLine(event)}\n`,
    id === undefined ? '' : `id: ${oneLine(id)}\n`,
  ];
  return `${fields.join('')}data: ${JSON.stringify(data)}\n\n`;
}

/** A line break would begin another field. */
function oneLine(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new Error('a field of an event must be one line');
  return text;
}
