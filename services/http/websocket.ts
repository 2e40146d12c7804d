import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { Sender, WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { z } from 'zod';
import { isImmutable } from '../../contracts/http/immutable-response';
import { JsonText } from '../../contracts/json/json-text';
import { parseJson } from '../../contracts/json/parse-json';
import { Problem } from '../../contracts/problem/problem';
import type { AnyCall } from './call';
import type { ConnectionObserver, Connections } from './connections';
import type { IncomingCall } from './incoming-call';
import { addressKey } from '../../contracts/http/address-key';
import { isExpected, problemOf } from './problems';
import { SocketCall } from './socket-call';
import { framesOf, type SocketFrame } from './socket-frames';
import type { UnsentBytes } from './unsent';

// Missing in the types of `ws`.
declare module 'ws' {
  interface FrameOptions {
    readonly fin: boolean;
    readonly rsv1: boolean;
    readonly opcode: number;
    readonly mask: boolean;
    readonly readOnly: boolean;
  }
  class Sender {
    /** The header and the payload of a frame. */
    static frame(payload: Buffer, options: FrameOptions): Buffer[];
  }
}

/** An open WebSocket, as its handler sees it. When the handler returns, the connection is closed. */
export interface Socket<Received, Sent> {
  /** Valid messages of the client, in order; ends with the connection. An invalid one closes it with 1007 or 1008. */
  readonly messages: AsyncIterable<Received>;
  /**
   * Resolves once the message was written to the socket; does nothing on a closed connection. A message that is sent to
   * many and marked by `immutable` becomes a frame once.
   */
  send(message: Sent | JsonText<Sent>): Promise<void>;
  /**
   * Sends messages that replace each other: while one is being written, only the newest of the next ones is kept, so that a
   * slow client has no growing queue. Never throws.
   */
  sendNewest(message: Sent | JsonText<Sent>): void;
  /** @param code 1000, or 4000 to 4999 */
  close(code?: number, reason?: string): void;
}

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

/** Unhandled messages of a client after which its socket is paused. */
const MAX_WAITING_MESSAGES = 16;
/** Unsent bytes after which the connection of a client that does not read is terminated. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/**
 * Fragments of a message, and parts in which a frame arrives. Each waits in memory, at the cost of a small piece even where it has one
 * byte. Messages of clients are short: they send them whole.
 */
const MAX_FRAGMENTS = 8;
const MAX_PARTS = 16;
/**
 * Messages, pings and pongs of a client in `FRAMES_MS`: each takes time of the main thread, which no turns share out. Clients send one
 * in seconds.
 */
export const MAX_FRAMES = 64;
export const FRAMES_MS = 10_000;
/** Bytes of what a client sends that wait or are dropped together. */
const PIECE_BYTES = 1024;
/** How long clients may take to answer the close of a program that stops, or that needs their place. */
const CLOSE_TIMEOUT_MS = 2_000;
/** Close codes (RFC 6455, section 7.4.1). */
const NORMAL = 1000;
const GOING_AWAY = 1001;
const INVALID_DATA = 1007;
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;
/** Registered at IANA. */
const TRY_AGAIN_LATER = 1013;

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
      void serve(client, socket, new SocketCall(call, client), options);
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

/**
 * What `ws` keeps of a message that is not complete refers to the memory of all that arrived with it, which may be 64 KiB for a byte:
 * it gets copies in pieces.
 */
export function receiveInPieces(client: Pick<WebSocket, 'on'>, socket: Duplex): void {
  const [receive] = socket.listeners('data') as ((piece: Buffer) => void)[];
  const receivePieces = (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length && !socket.destroyed; at += PIECE_BYTES)
      receive!.call(socket, Buffer.from(new Uint8Array(chunk.subarray(at, at + PIECE_BYTES)).buffer));
  };
  socket.off('data', receive!).on('data', receivePieces);
  // `ws` stops to receive by taking away the listener that it has added.
  client.on('error', () => socket.off('data', receivePieces));
}

const goAway = (client: WebSocket): void => closeSoon(client, GOING_AWAY);

/** Also where its client does not answer the close. */
function closeSoon(client: WebSocket, code: number, reason?: string): void {
  client.close(code, reason);
  setTimeout(() => client.terminate(), CLOSE_TIMEOUT_MS).unref();
}

async function serve(
  client: WebSocket,
  connection: Duplex,
  call: SocketCall,
  options: WebSocketOptions,
): Promise<void> {
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
    if (isExpected(problem)) {
      logger.debug({ requestId, code: problem.code }, 'websocket closed');
      return client.close(TRY_AGAIN_LATER, problem.code);
    }
    logger.error({ err: error, requestId }, 'websocket handler failed');
    client.close(INTERNAL_ERROR, problem.code);
  };
  try {
    await handle(call, socketOf(client, write, options.received, fail));
    client.close(NORMAL);
  } catch (error) {
    fail(error);
  }
}

/** Also once the connection is being closed: `ws` goes on to read what a client sends. */
function limitFrames(client: WebSocket, onTooMany: () => void): void {
  let frames = 0;
  let since = performance.now();
  const count = (): void => {
    frames += 1;
    if (frames <= MAX_FRAMES) return;
    const now = performance.now();
    if (now - since > FRAMES_MS) return void ([frames, since] = [1, now]);
    for (const event of FRAMES) client.off(event, count);
    onTooMany();
    client.close(POLICY_VIOLATION, 'too many messages');
    client.terminate();
  };
  for (const event of FRAMES) client.on(event, count);
}

const FRAMES = ['message', 'ping', 'pong'] as const;

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

/** @param onWritten called when the message was written to the socket, or cannot be. @throws what the schema throws */
type WriteMessage = (message: unknown, onWritten?: () => void) => void;

/**
 * Writes messages while the client is open. The frame of an immutable one goes to the connection as it is, in one system
 * call: without compression `ws` has no frames of its own waiting.
 */
function writerOf(
  client: WebSocket,
  connection: Duplex,
  { schema, observer }: WebSocketOptions,
  countUnsent: () => void,
): WriteMessage {
  return (message, onWritten) => {
    schema?.parse(message instanceof JsonText ? message.parse() : message);
    if (client.bufferedAmount > MAX_BUFFERED_BYTES) client.terminate();
    if (client.readyState !== client.OPEN) return onWritten?.();
    observer?.sent();
    if (isImmutable(message)) connection.write(frameOf(message), onWritten);
    else client.send(textOf(message), onWritten);
    countUnsent();
  };
}

const textOf = (message: unknown): string =>
  message instanceof JsonText ? message.text : JSON.stringify(message);

const frames = new WeakMap<object, Buffer>();
const TEXT = { fin: true, rsv1: false, opcode: 1, mask: false, readOnly: true } as const;

/** The frame of an immutable message, made on first use. */
function frameOf(message: object): Buffer {
  const known = frames.get(message);
  if (known) return known;
  const frame = Buffer.concat(Sender.frame(Buffer.from(textOf(message)), TEXT));
  frames.set(message, frame);
  return frame;
}

function socketOf(
  client: WebSocket,
  write: WriteMessage,
  received: z.ZodType | undefined,
  fail: (error: unknown) => void,
): Socket<unknown, unknown> {
  let isWriting = false;
  let waiting: unknown;
  const onWritten = (): void => {
    isWriting = false;
    if (waiting === undefined) return;
    const next = waiting;
    waiting = undefined;
    sendNewest(next);
  };
  const sendNewest = (message: unknown): void => {
    if (isWriting) return void (waiting = message);
    isWriting = true;
    try {
      write(message, onWritten);
    } catch (error) {
      fail(error);
    }
  };
  return {
    messages: received ? messagesOf(client, received) : noMessages(client),
    send: message => new Promise(resolve => write(message, () => resolve())),
    sendNewest,
    close: (code = NORMAL, reason) => client.close(code, reason),
  };
}

function messagesOf(client: WebSocket, schema: z.ZodType): AsyncIterable<unknown> {
  // Subscribed before the handler runs, so that no message is missed.
  return validated(framesOf(client, MAX_WAITING_MESSAGES), client, schema);
}

/** Frames that nothing listens to are dropped. */
function noMessages(client: WebSocket): AsyncIterable<never> {
  const next = async (): Promise<IteratorReturnResult<undefined>> => {
    if (client.readyState !== client.CLOSED) await new Promise(resolve => client.once('close', resolve));
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

async function* validated(
  frames: AsyncIterable<SocketFrame>,
  client: WebSocket,
  schema: z.ZodType,
): AsyncIterable<unknown> {
  for await (const [data, isBinary] of frames) {
    const json = isBinary ? undefined : parsed(data);
    if (json === undefined) return client.close(INVALID_DATA, 'not JSON');
    const message = schema.safeParse(json);
    if (!message.success) return client.close(POLICY_VIOLATION, 'invalid message');
    yield message.data;
  }
}

function parsed(data: RawData): unknown {
  try {
    return parseJson(data as Buffer);
  } catch {
    return undefined;
  }
}
