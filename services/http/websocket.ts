import { on } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Request, Response } from 'express';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { z } from 'zod';
import { Problem } from '../../contracts/problem';
import type { AnyCall } from './call';
import type { IncomingCall } from './incoming-call';
import type { StreamingOptions } from './sse';

/** An open WebSocket, as its handler sees it. When the handler returns, the connection is closed. */
export interface Socket<Received, Sent> {
  /** Valid messages of the client, in order; ends with the connection. An invalid one closes it with 1007 or 1008. */
  readonly messages: AsyncIterable<Received>;
  /** Resolves once the message was written to the socket; does nothing on a closed connection. */
  send(message: Sent): Promise<void>;
  /** @param code 1000, or 4000 to 4999 */
  close(code?: number, reason?: string): void;
}

interface WebSocketOptions extends StreamingOptions {
  readonly handle: (call: AnyCall, socket: Socket<unknown, unknown>) => Promise<unknown>;
  /** Schema of the messages of the client. */
  readonly received: z.ZodType | undefined;
  /** Bytes of one message; a larger one closes the connection with 1009. */
  readonly bodyLimit: number;
  readonly stopping: AbortSignal | undefined;
}

/** Unhandled messages of a client after which its socket is paused. */
const MAX_WAITING_MESSAGES = 64;
/** Unsent bytes after which the connection of a client that does not read is terminated. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Close codes (RFC 6455, section 7.4.1). */
const NORMAL = 1000;
const GOING_AWAY = 1001;
const INVALID_DATA = 1007;
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}
const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Stores the connection of an upgrade request, for `webSocketAcceptor`. */
export function markUpgrade(request: IncomingMessage, upgrade: Upgrade): void {
  upgrades.set(request, upgrade);
}

/**
 * Turns an admitted request into a WebSocket and runs the handler on it. A client that has not answered a ping by the next
 * one is terminated.
 */
export function webSocketAcceptor(options: WebSocketOptions) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: options.bodyLimit,
  });
  return (request: Request, response: Response, call: IncomingCall): void => {
    const upgrade = upgrades.get(request);
    if (!upgrade || request.headers.upgrade?.toLowerCase() !== 'websocket')
      throw new Problem('upgrade_required', 'This path is a WebSocket.', {
        headers: { Upgrade: 'websocket' },
      });
    const { socket, head } = upgrade;
    response.detachSocket(socket as never);
    server.handleUpgrade(request, socket, head, client => void serve(client, call, options));
  };
}

async function serve(client: WebSocket, call: IncomingCall, options: WebSocketOptions): Promise<void> {
  const { handle, logger, heartbeatMs, stopping } = options;
  const closed = new AbortController();
  call.signal = closed.signal;
  const stop = (): void => client.close(GOING_AWAY);
  const heartbeat = startPings(client, heartbeatMs);
  stopping?.addEventListener('abort', stop, { once: true });
  if (stopping?.aborted) stop();
  client.once('close', () => {
    clearInterval(heartbeat);
    stopping?.removeEventListener('abort', stop);
    closed.abort();
  });
  // A broken connection or an invalid frame; 'close' follows.
  client.on('error', error => logger.debug({ err: error, requestId: call.requestId }, 'websocket failed'));
  try {
    await handle(call, socketOf(client, options));
    client.close(NORMAL);
  } catch (error) {
    if (closed.signal.aborted) return;
    logger.error({ err: error, requestId: call.requestId }, 'websocket handler failed');
    client.close(INTERNAL_ERROR);
  }
}

function startPings(client: WebSocket, everyMs: number): NodeJS.Timeout {
  let alive = true;
  client.on('pong', () => (alive = true));
  return setInterval(() => {
    if (!alive) return client.terminate();
    alive = false;
    client.ping();
  }, everyMs);
}

function socketOf(client: WebSocket, { received, schema }: WebSocketOptions): Socket<unknown, unknown> {
  // Subscribed before the handler runs, so that no message is missed.
  const frames = on(client, 'message', {
    close: ['close'],
    highWaterMark: MAX_WAITING_MESSAGES,
    lowWaterMark: 1,
  }) as AsyncIterableIterator<[RawData, boolean]>;
  return {
    messages: messagesOf(frames, client, received),
    async send(message) {
      schema?.parse(message);
      if (client.readyState !== client.OPEN) return;
      if (client.bufferedAmount > MAX_BUFFERED_BYTES) return client.terminate();
      await new Promise<void>(resolve => client.send(JSON.stringify(message), () => resolve()));
    },
    close: (code = NORMAL, reason) => client.close(code, reason),
  };
}

async function* messagesOf(
  frames: AsyncIterable<[RawData, boolean]>,
  client: WebSocket,
  schema: z.ZodType | undefined,
): AsyncIterable<unknown> {
  for await (const [data, isBinary] of frames) {
    const json = isBinary ? undefined : parsed(data);
    if (json === undefined) return client.close(INVALID_DATA, 'not JSON');
    const message = schema?.safeParse(json) ?? { success: true, data: json };
    if (!message.success) return client.close(POLICY_VIOLATION, 'invalid message');
    yield message.data;
  }
}

function parsed(data: RawData): unknown {
  try {
    return JSON.parse((data as Buffer).toString());
  } catch {
    return undefined;
  }
}
