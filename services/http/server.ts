import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Request } from 'express';
import { asCaller } from '../../contracts/current-caller';
import { addressKey } from '../../contracts/http/address-key';
import { refuseBroken } from './broken-requests';
import { callerAddress } from './caller-address';
import { DEFAULT_TARGET_LIMIT, MAX_HEADERS, MAX_HEADERS_BYTES } from './head-limits';
import { messageClassesOf } from './message-classes';
import { createOpenConnections, type OpenConnectionLimits } from './open-connections';
import { createRequestQueue, type RequestQueue } from './request-queue';
import {
  countHead,
  createUnfinished,
  stopParsing,
  UNFINISHED_LIMITS,
  type UnfinishedLimits,
} from './unfinished';
import { serveUpgrades } from './upgrades';

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

/** Those of the servers of an app. */
function requestQueueOf({ locals }: Express): RequestQueue {
  return (locals['requestQueue'] ??= createRequestQueue()) as RequestQueue;
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
  const { AppRequest, AppResponse } = messageClassesOf(app);
  const queue = requestQueueOf(app);
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
    queue.arrive({
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
    queue.accepted();
    if (admit(socket)) unfinished.add(socket);
  });
  server.once('listening', () => {
    const checking = setInterval(() => unfinished.check(), unfinishedCheckMs).unref();
    server.once('close', () => clearInterval(checking));
  });
  refuseBroken(server, onBroken);
  if (app.locals['webSockets'] === true) serveUpgrades(server, request => new AppResponse(request), handle);
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
