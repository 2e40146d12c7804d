import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import type { z } from 'zod';
import { addressKey } from '../../../contracts/http/address-key';
import { Problem } from '../../../contracts/problem/problem';
import type { AnyCall } from '../call';
import type { ConnectionObserver, Connections } from '../connections';
import type { IncomingCall } from '../incoming-call';
import { isExpected, isFault, problemOf } from '../problems';
import type { UnsentBytes } from '../unsent';
import { limitFrames, MAX_FRAGMENTS, MAX_PARTS, receiveInPieces } from './client-limits';
import { GOING_AWAY, INTERNAL_ERROR, NORMAL, TRY_AGAIN_LATER } from './close-codes';
import { type Socket, socketOf } from './socket';
import { SocketCall } from './socket-call';
import { type WriteMessage, writerOf } from './writer';

interface WebSocketOptions {
  /** Validates what is sent; undefined to validate nothing. */
  readonly schema: z.ZodType | undefined;
  readonly heartbeatMs: number;
  readonly logger: Logger;
  readonly observer: ConnectionObserver | undefined;
  readonly handle: (call: AnyCall, socket: Socket<unknown, unknown>) => Promise<unknown>;
  /** Schema of the messages of the client; without one they are ignored. */
  readonly received: z.ZodType | undefined;
  /** Bytes of one message; a larger one closes the connection with 1009. */
  readonly bodyLimit: number;
  /** Sent with each ping, for clients and proxies that do not see pings. */
  readonly heartbeat: unknown;
  readonly stopping: AbortSignal | undefined;
  readonly connections: Connections;
  readonly unsent: UnsentBytes;
  /** Called for each client that breaks the protocol. */
  readonly onBroken?: (() => void) | undefined;
}

/** How long clients may take to answer the close of a program that stops, or that needs their place. */
const CLOSE_TIMEOUT_MS = 2_000;

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
  if (options.heartbeat !== undefined) options.schema?.parse(options.heartbeat);
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: options.bodyLimit,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_PARTS,
  });
  const clients = new Set<WebSocket>();
  options.stopping?.addEventListener('abort', () => clients.forEach(goAway), { once: true });

  return (request: Request, response: Response, call: IncomingCall): void => {
    const upgrade = upgrades.get(request);
    if (!upgrade || request.headers.upgrade?.toLowerCase() !== 'websocket')
      throw new Problem('upgrade_required', 'This path is a WebSocket.', {
        headers: { Upgrade: 'websocket' },
      });
    const { socket, head } = upgrade;
    const opening: Opening = { socket };
    // The connection may also end before it is a WebSocket.
    socket.on('close', options.connections.open(call, closing(opening)));
    response.detachSocket(socket as never);
    server.handleUpgrade(request, socket, head, client => {
      opening.client = client;
      receiveInPieces(client, socket);
      track(clients, client);
      serve(client, socket, new SocketCall(call, client), options);
      if (options.stopping?.aborted) goAway(client);
    });
  };
}

/** A connection that is to be a WebSocket. */
interface Opening {
  readonly socket: Duplex;
  client?: WebSocket;
}

// What stays with an open connection is made by functions of their own, so that the request and its response do not stay with it.
function closing(opening: Opening): (problem: Problem) => void {
  return ({ code }) => {
    if (opening.client) closeSoon(opening.client, TRY_AGAIN_LATER, code);
    else opening.socket.destroy();
  };
}

function track(clients: Set<WebSocket>, client: WebSocket): void {
  clients.add(client);
  client.on('close', () => clients.delete(client));
}

const goAway = (client: WebSocket): void => closeSoon(client, GOING_AWAY);

/** Also where its client does not answer the close. */
function closeSoon(client: WebSocket, code: number, reason?: string): void {
  client.close(code, reason);
  setTimeout(() => client.terminate(), CLOSE_TIMEOUT_MS).unref();
}

/** Not `async`: what such a function has while it waits would stay with each connection for as long as it is open. */
function serve(client: WebSocket, connection: Duplex, call: SocketCall, options: WebSocketOptions): void {
  const { handle, logger, observer, onBroken } = options;
  const { requestId } = call;
  observer?.opened();
  const backlog = options.unsent.of(addressKey(call.ip), () => client.terminate());
  const countUnsent = (): void => {
    if (connection.writableNeedDrain) backlog.update(client.bufferedAmount);
  };
  connection.on('drain', () => backlog.update(0));
  // Answered by `ws`, also when the client reads no answers.
  client.on('ping', countUnsent);
  limitFrames(client, () => {
    onBroken?.();
    logger.debug({ requestId }, 'websocket sent too many messages');
  });
  const write = writerOf(client, connection, options, countUnsent);
  const heartbeat = startHeartbeat(client, write, options);
  client.on('close', () => {
    backlog.update(0);
    clearInterval(heartbeat);
    observer?.closed();
  });
  // A broken connection or an invalid frame; 'close' follows.
  client.on('error', error => {
    if (isInvalidFrame(error)) onBroken?.();
    logger.debug({ requestId, reason: error.message }, 'websocket failed');
  });
  if (observer) client.on('message', observer.received);
  const fail = (error: unknown): void => {
    if (client.readyState === client.CLOSED) return;
    const problem = problemOf(error);
    if (isExpected(problem, error)) logger.debug({ requestId, code: problem.code }, 'websocket closed');
    else logger.error({ err: error, requestId }, 'websocket handler failed');
    client.close(isFault(problem) ? INTERNAL_ERROR : TRY_AGAIN_LATER, problem.code);
  };
  handle(call, socketOf(client, write, options.received, fail))
    .then(() => client.close(NORMAL))
    .catch(fail);
}

/** Those of `ws` about what the client sent. */
function isInvalidFrame(error: Error & { readonly code?: string }): boolean {
  return error.code?.startsWith('WS_ERR_') === true;
}

function startHeartbeat(
  client: WebSocket,
  write: WriteMessage,
  { heartbeat, heartbeatMs }: WebSocketOptions,
): NodeJS.Timeout {
  let alive = true;
  client.on('pong', () => (alive = true));
  const beat = (): void => {
    if (!alive) return client.terminate();
    alive = false;
    client.ping();
    if (heartbeat !== undefined) write(heartbeat);
  };
  // Once sockets are read: timers run first when this process was not scheduled, and the pong may have arrived meanwhile.
  return setInterval(() => setImmediate(beat), heartbeatMs);
}
