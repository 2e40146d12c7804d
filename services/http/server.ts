import { createServer, IncomingMessage, ServerResponse, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Request } from 'express';
import { callerAddress } from './caller-address';
import { asCaller } from '../../contracts/current-caller';
import { addressKey } from '../../contracts/http/address-key';
import type { ArrivedRequest } from './arrived-request';
import { createRequestTurns, type RequestTurns } from './request-turns';
import { createOpenConnections, type OpenConnectionLimits } from './open-connections';
import { DEFAULT_TARGET_LIMIT, MAX_HEADERS, MAX_HEADERS_BYTES } from './head-limits';
import {
  countHead,
  countPart,
  createUnfinished,
  stopCounting,
  stopParsing,
  UNFINISHED_LIMITS,
  type UnfinishedLimits,
} from './unfinished';
import { unsentBytesOf, type Backlog } from './unsent';
import { markUpgrade } from './websocket/accept';

export interface AppServerOptions extends ServerOptions {
  /** Connections of all kinds, those of streams included; default: no limits. */
  readonly connectionLimits?: OpenConnectionLimits;
  /** Path of the app that this server answers as its root; default: all of the app. */
  readonly basePath?: string;
  /** Default: `UNFINISHED_LIMITS`. */
  readonly unfinishedLimits?: UnfinishedLimits;
  /** Milliseconds between two looks for what is over them. */
  readonly unfinishedCheckMs?: number;
  /** Called for each connection that is closed because of one of the limits. */
  readonly onRefused?: () => void;
  /** Called for each connection that is closed because what it sends is no request, or not one in time. */
  readonly onBroken?: () => void;
  /** Whether requests are handled in the name of their callers (`currentCaller`), which makes each `await` somewhat slower. Default: no. */
  readonly namesCallers?: boolean;
  /** Milliseconds after which a connection on which nothing moves is closed, such as that of a client that does not read. */
  readonly inactivityTimeout?: number;
}

/** Milliseconds. */
const TIMEOUTS = {
  /** Idle connections are kept longer than load balancers and clients keep theirs. */
  keepAliveTimeout: 65_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Between two looks for requests that take longer than the two above. */
  connectionsCheckingInterval: 5_000,
};

const UNFINISHED_CHECK_MS = 500;

const NO_LIMITS: OpenConnectionLimits = { total: 0, perCaller: 0 };

/**
 * Of a request until its body, all of which waits in memory until it is complete. Three times the longest path and query that an
 * endpoint takes, and the headers: what is somewhat longer is answered with a problem that says so, above this with an empty 431 or 414.
 */
const maxHeadBytes = ({ locals }: Express): number =>
  3 * ((locals['maxTargetBytes'] as number | undefined) ?? DEFAULT_TARGET_LIMIT) + MAX_HEADERS_BYTES;

/** Longer than the heartbeats of streams. */
const INACTIVITY_TIMEOUT_MS = 120_000;

/** Of one connection, requests that were sent before the answers to earlier ones: each may wait in memory with its answer. */
export const MAX_PIPELINED = 64;

/** Of an answer that waits with its request, beside what it says. */
const ANSWER_BYTES = 6 * 1024;

/** Those of the servers of an app. */
function requestTurnsOf({ locals }: Express): RequestTurns {
  return (locals['requestTurns'] ??= createRequestTurns()) as RequestTurns;
}

const messageClasses = new WeakMap<Express, ReturnType<typeof createMessageClasses>>();

/**
 * Requests and responses are created with the prototypes that Express requires: otherwise Express changes the prototype of
 * each object, which V8 then handles several times slower.
 */
function createMessageClasses(app: Express) {
  class AppRequest extends IncomingMessage implements ArrivedRequest {
    readonly arrivedAt = performance.now();

    override push(part: Buffer | null, encoding?: BufferEncoding): boolean {
      return countPart(this, part) && super.push(part, encoding);
    }
  }
  /** Counts what its client has not read: see `createUnsentBytes`. */
  class AppResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
    #backlog: Backlog | undefined;

    override write(...args: unknown[]): boolean {
      const hasRoom = super.write(...(args as [unknown]));
      if (!hasRoom) this.#count();
      return hasRoom;
    }

    override end(...args: unknown[]): this {
      super.end(...(args as [unknown]));
      this.#count();
      return this;
    }

    #count(): void {
      const bytes = this.writableLength;
      if (bytes > 0) (this.#backlog ??= this.#newBacklog()).update(ANSWER_BYTES + bytes);
    }

    #newBacklog(): Backlog {
      const caller = addressKey(callerAddress(this.req as unknown as Request));
      // Not `this.destroy()`, which waits for the answers before it.
      const backlog = unsentBytesOf(app).of(caller, () => void this.req.socket.destroy());
      const sent = (): void => backlog.update(0);
      this.on('drain', sent).once('finish', sent).once('close', sent);
      return backlog;
    }
  }
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Express['request'];
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Express['response'];
  return { AppRequest, AppResponse };
}

/**
 * A server of the app, of which there may be several, WebSockets included. A client that sends slowly, or does not read, does
 * not hold its connection for long.
 */
export function createAppServer(app: Express, options: AppServerOptions = {}): Server {
  const {
    connectionLimits = NO_LIMITS,
    unfinishedLimits = UNFINISHED_LIMITS,
    unfinishedCheckMs = UNFINISHED_CHECK_MS,
    onRefused = () => undefined,
    onBroken,
    inactivityTimeout = INACTIVITY_TIMEOUT_MS,
    basePath = '',
    namesCallers = false,
    ...http
  } = options;
  const classes = messageClasses.get(app) ?? createMessageClasses(app);
  messageClasses.set(app, classes);
  const { AppRequest, AppResponse } = classes;
  const turns = requestTurnsOf(app);
  const unanswered = new WeakMap<Socket, number>();
  const unfinished = createUnfinished(unfinishedLimits, onRefused);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > MAX_PIPELINED) {
      stopParsing(socket);
      onRefused();
      return void socket.destroy();
    }
    unanswered.set(socket, count);
    if (response.socket === null) endWithConnection(response);
    const headBytes = countHead(request);
    response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1));
    request.url = basePath + request.url;
    const caller = (): string => addressKey(callerAddress(request as Request));
    const answer = (): void => app(request as never, response as never);
    turns.arrive({
      caller,
      headBytes,
      isOpen: () => !socket.destroyed,
      begin: namesCallers ? () => asCaller(caller(), answer) : answer,
      refuse() {
        onRefused();
        socket.destroy();
      },
    });
  };
  const server = createServer(
    {
      ...TIMEOUTS,
      maxHeaderSize: maxHeadBytes(app),
      // The app refuses requests without one; Node would do so at once, whatever waits.
      requireHostHeader: false,
      ...http,
      IncomingMessage: AppRequest,
      ServerResponse: AppResponse,
    },
    handle,
  );
  // Node would answer with a 417 by itself, at once and whatever waits.
  server.on('checkExpectation', handle);
  server.timeout = inactivityTimeout;
  // More are not kept: what has one more is refused.
  server.maxHeadersCount = MAX_HEADERS + 1;
  const admit = createOpenConnections(connectionLimits, onRefused);
  server.prependListener('connection', (socket: Socket) => {
    turns.accepted();
    if (admit(socket)) unfinished.add(socket);
  });
  server.once('listening', () => {
    const checking = setInterval(() => unfinished.check(), unfinishedCheckMs).unref();
    server.once('close', () => clearInterval(checking));
  });
  const failed = new WeakSet<Socket>();
  server.on('clientError', (error: ClientError, socket: Socket) => {
    // Again for each further part of what is sent.
    if (failed.has(socket)) return;
    failed.add(socket);
    if (STATUS_LINES.has(error.code ?? '') || error.code?.startsWith('HPE_')) onBroken?.();
    refuse(error, socket);
  });

  if (app.locals['webSockets'] !== true) return server;

  // The app handles an upgrade like any request, so that it may refuse it; a WebSocket endpoint detaches the connection.
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const broken = (): void => void socket.destroy();
    socket.on('error', broken);
    const response = new AppResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // An earlier request on this connection has not been answered yet: no client sends an upgrade then.
      return broken();
    }
    if (!isWebSocketUpgrade(request)) {
      response.detachSocket(socket);
      socket.off('error', broken);
      return handleWithoutUpgrade(server, request, socket, head);
    }
    // Not `end`: a client that leaves its side open would keep the connection.
    response.once('finish', () => socket.destroySoon());
    markUpgrade(request, { socket, head });
    handle(request, response);
    stopCounting(socket);
  });
  return server;
}

/** By connection, answers that wait behind another one. */
const waitingAnswers = new WeakMap<Socket, Set<ServerResponse>>();

/** Node says that a connection is closed to the answer whose turn it is, and not to those behind it. */
function endWithConnection(response: ServerResponse): void {
  const { socket } = response.req;
  const waiting = waitingAnswers.get(socket) ?? new Set();
  if (!waitingAnswers.has(socket)) {
    waitingAnswers.set(socket, waiting);
    socket.once('close', () => {
      for (const each of waiting) if (each.socket === null && !each.closed) close(each);
    });
  }
  waiting.add(response);
  response.once('close', () => waiting.delete(response));
}

/** As Node does it. */
function close(response: ServerResponse): void {
  Object.assign(response, { destroyed: true, _closed: true });
  response.emit('close');
}

interface ClientError extends NodeJS.ErrnoException {
  /** What the parser was given when it failed. */
  readonly rawPacket?: Buffer;
}

/** By the codes of Node; any other broken request is a 400. */
const STATUS_LINES: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Content Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

/** What overflows without an end of a line is taken for path and query: no client sends as long a header. */
const statusLineOf = ({ code = '', rawPacket }: ClientError): string =>
  code === 'HPE_HEADER_OVERFLOW' && rawPacket?.includes('\n') === false
    ? '414 URI Too Long'
    : (STATUS_LINES.get(code) ?? '400 Bad Request');

/** In which what a client still sends is read: it does not see the answer of a connection that is reset. */
const LINGER_MS = 1_000;

/** As Node does where nobody listens: nothing is written into an answer that has begun. */
function refuse(error: ClientError, socket: Socket): void {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  if (!socket.writable || answer?.headersSent === true) return void socket.destroy(error);
  // That a request is wrong is no secret, and a page has to see it.
  socket.end(
    `HTTP/1.1 ${statusLineOf(error)}\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n`,
  );
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

const isWebSocketUpgrade = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

const UPGRADE_FIELDS = /^(?:connection|upgrade|http2-settings)$/i;
const CLOSES = /(?:^|,)\s*close\s*(?:,|$)/i;

/**
 * Handles a request as if it had not asked for an upgrade, such as to HTTP/2, which Java's client asks for by default
 * (RFC 9110, section 7.8, allows to ignore it). Node has not read its body, so the connection begins again with the request.
 */
function handleWithoutUpgrade(
  server: Server,
  { method, url, httpVersion, headers, rawHeaders }: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  if (CLOSES.test(headers.connection ?? '')) lines.push('Connection: close');
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!UPGRADE_FIELDS.test(rawHeaders[at]!)) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
