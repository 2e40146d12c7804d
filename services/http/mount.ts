import { ADDRESS } from '../../contracts/quota';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import {
  accessesOf,
  isStreaming,
  type Access,
  type AuthScheme,
  type Endpoint,
} from '../../contracts/http/endpoint';
import { ALL_NETWORKS, isFollowed, NETWORKS, type FollowedNetworks } from '../../contracts/network/network';
import { expectFollowed } from '../../contracts/network/network-off';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import type { Principal } from '../../contracts/principal';
import { Problem } from '../../contracts/problem/problem';
import type { Audit } from '../audit/audit';
import { accessOf, authorize, minPositionOf, type SecureSession } from './access';
import type { Binding } from './binding';
import { Reply, type Middleware, type RawBody } from './call';
import { bodyReader } from './body';
import { preflight } from './cors';
import { checkProblem, checkReply } from './check-responses';
import {
  createConnections,
  type ConnectionLimits,
  type ConnectionObserver,
  type Connections,
} from './connections';
import { allowAnyOrigin, varyBy } from './head';
import { DEFAULT_TARGET_LIMIT } from './head-limits';
import { IncomingCall } from './incoming-call';
import {
  createIncompleteBodies,
  type IncompleteBodies,
  type IncompleteBodyLimits,
} from './incomplete-bodies';
import { limitAddress, limitCaller, limitFailures } from './limits';
import { createFeeds, type EventFeed, type Feeds } from './event-feed';
import type { PositionReads } from './position-reads';
import { createRouteGroups } from './route-groups';
import { forward, type ProxyTarget } from './proxy';
import { sendJson, sendRaw } from './send';
import { createUnsentBytes, type UnsentBytes, type UnsentLimits } from './unsent';
import { refuseUnsafeKeys, validate } from './validate';
import { webSocketAcceptor } from './websocket/accept';

type Authenticate = (authorization: string | undefined) => Promise<Principal>;

/** What enforces the access of endpoints. */
export interface RequestPolicies {
  readonly secureSession: SecureSession;
  readonly limits: RateLimits;
  /** Records calls of bindings with an `auditSubject`. */
  readonly audit: Audit;
  /** Runs a call once for each idempotency key. */
  readonly idempotency: Middleware;
  /** Admits reads of a position, and of what their callers have recorded. */
  readonly positions: PositionReads;
}

export interface MountOptions extends Partial<RequestPolicies> {
  readonly logger: Logger;
  /** By scheme: throws a 401 `Problem` unless the `Authorization` header holds a valid token. */
  readonly authenticate?: Partial<Record<AuthScheme, Authenticate>>;
  /** The networks that the instance serves; default: all. */
  readonly followed?: FollowedNetworks;
  /** Compares every response with its schema and the declared problem codes: on in tests, off in production. */
  readonly checkResponses: boolean;
  /** Aborts when the program stops: ends event streams and WebSockets. */
  readonly stopping?: AbortSignal;
  /** Milliseconds between heartbeats of event streams and WebSockets. */
  readonly heartbeatMs?: number;
  /** Default: no limits. */
  readonly connectionLimits?: ConnectionLimits;
  /** Default: `UNSENT_LIMITS`. */
  readonly unsentLimits?: UnsentLimits;
  /** Default: `INCOMPLETE_BODY_LIMITS`. */
  readonly incompleteBodyLimits?: IncompleteBodyLimits;
  /** Called for each connection that is closed because its client does not read. */
  readonly onUnreadClosed?: () => void;
  /** Called for each WebSocket that is closed because its client breaks the protocol. */
  readonly onBroken?: (protocol: 'websocket') => void;
  /** Called for each route of event streams and WebSockets. */
  readonly observeConnections?: (route: string) => ConnectionObserver;
}

const DEFAULT_BODY_LIMIT = 64 * 1024;
const DEFAULT_HEARTBEAT_MS = 15_000;
const NO_CONNECTION_LIMITS: ConnectionLimits = { total: 0, perCaller: 0 };
const NO_SESSION: SecureSession = { maxAge: 0, acrValues: [], ownIssuers: [] };

/** Sorts literal segments before parameters: `/transactions/v3` is not an address. */
const specificity = (path: string): string => path.replace(/\{[^{}]+\}/g, '~');

const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/**
 * Mounts every endpoint under its path and aliases; other methods on a known path are answered with 405, but for the
 * preflights of endpoints that pages of any origin may call.
 * @throws Error when a path is bound twice, or the options cannot enforce what an endpoint needs
 */
export function mount(app: Express, bindings: readonly Binding[], options: MountOptions): void {
  app.locals['webSockets'] = bindings.some(({ endpoint }) => endpoint.kind === 'websocket');
  app.locals['maxTargetBytes'] = Math.max(
    ...bindings.map(({ endpoint }) => endpoint.targetLimit ?? DEFAULT_TARGET_LIMIT),
    DEFAULT_TARGET_LIMIT,
  );
  const paths = new Map<string, Map<string, RequestHandler>>();
  const crossOrigin = new Map<string, string[]>();
  const connections = createConnections(options.connectionLimits ?? NO_CONNECTION_LIMITS);
  const unsent = createUnsentBytes(options.unsentLimits, options.onUnreadClosed);
  app.locals['unsentBytes'] = unsent;
  const feeds = createFeeds(options.heartbeatMs ?? DEFAULT_HEARTBEAT_MS, unsent, options.stopping);
  const bodies = createIncompleteBodies(options.incompleteBodyLimits);
  for (const binding of bindings) {
    const { method, path, aliases = [], cors = false, problemMembers } = binding.endpoint;
    const { targetLimit = DEFAULT_TARGET_LIMIT } = binding.endpoint;
    const handle = handler(binding, options, bodies, { connections, feeds, unsent });
    const vary = varyOf(binding.endpoint);
    for (const each of [path, ...aliases]) {
      if (cors) crossOrigin.set(each, [...(crossOrigin.get(each) ?? []), method]);
      const methods = paths.get(each) ?? new Map<string, RequestHandler>();
      if (methods.has(method)) throw new Error(`${method} ${each} is bound twice`);
      paths.set(
        each,
        methods.set(method, (request, response, next) => {
          response.locals.route = each;
          if (cors) allowAnyOrigin(response);
          if (vary.length > 0) varyBy(response, vary);
          response.locals.problemMembers = problemMembers;
          if (request.originalUrl.length > targetLimit) return next(targetTooLong(targetLimit));
          handle(request, response).catch(next);
        }),
      );
    }
  }
  const sorted = [...paths].sort(([a], [b]) => (specificity(a) < specificity(b) ? -1 : 1));
  const routes = createRouteGroups();
  for (const [path, methods] of sorted) {
    const route = routes.route(expressPath(path));
    for (const [method, handle] of methods) route[METHODS[method as Endpoint['method']]](handle);
    const callable = crossOrigin.get(path);
    if (callable) route.options(preflight(callable));
    route.all(methodNotAllowed([...methods.keys()]));
  }
  app.use(routes.handle);
}

/** The headers that the answer to a GET depends on; answers to others are not cached. */
function varyOf(endpoint: Endpoint): readonly string[] {
  if (endpoint.method !== 'GET') return [];
  return [
    ...(endpoint.auth && endpoint.auth !== 'none' ? ['Authorization'] : []),
    ...(endpoint.minPosition ? ['X-Min-Position'] : []),
  ];
}

const targetTooLong = (limit: number): Problem =>
  new Problem('uri_too_long', `Path and query together may have at most ${limit} bytes.`);

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/** The open streams of all endpoints together. */
interface Streams {
  readonly connections: Connections;
  readonly feeds: Feeds;
  readonly unsent: UnsentBytes;
}

type Handle = (request: Request, response: Response) => Promise<void>;

function handler(
  binding: Binding,
  options: MountOptions,
  bodies: IncompleteBodies,
  streams: Streams,
): Handle {
  const { endpoint, handle } = binding;
  const { kind = 'json', method, path } = endpoint;
  const operation = `${method} ${path}`;
  assertEnforceable(binding, options);
  const admit = admission(endpoint, options, bodies);
  const wrap = middlewareOf(binding, options);
  const send = senderOf(binding, options, streams);

  /** The handler of a WebSocket runs later, on the open connection. */
  const invoke = async (call: IncomingCall): Promise<Reply<unknown>> => {
    const result = kind === 'websocket' ? undefined : await handle(call);
    const {
      body,
      headers,
      status = endpoint.status ?? 200,
    } = result instanceof Reply ? (result as Reply<unknown>) : new Reply(result);
    return new Reply(body, headers, status);
  };

  const respond: Handle = async (request, response) => {
    const call = new IncomingCall(
      request,
      response,
      operation,
      kind === 'sse' || endpoint.longPoll || endpoint.watches ? options.stopping : undefined,
    );
    let action: string | null = null;
    const wrapped = wrap(call, async () => {
      const admitted = await admit(call, request);
      action = admitted.action;
      const { positions, idempotency } = options;
      if (admitted.access.idempotency) {
        const done = await idempotency!(call, () => invoke(call));
        positions?.recorded(call, done);
        return done;
      }
      return positions && admitted.access.minPosition
        ? positions.run(call, () => invoke(call))
        : invoke(call);
    });
    const reply = await answerOf(call, wrapped);
    const sent = options.checkResponses ? await checkReply(endpoint, reply, action) : reply;
    if (!response.headersSent && !response.destroyed) await send(request, response, sent, call);
  };
  if (!options.checkResponses) return respond;
  return (request, response) =>
    respond(request, response).catch((error: unknown) => {
      throw checkProblem(endpoint, error);
    });
}

/**
 * Checks a call in this order: authentication, quota of the address, role, secure session, path and query, rate limit, body,
 * networks: who may not call it has no body read. Where the access depends on the action that the body names, it comes after that.
 */
function admission(
  endpoint: Endpoint,
  { authenticate = {}, limits, secureSession = NO_SESSION, followed = ALL_NETWORKS }: MountOptions,
  bodies: IncompleteBodies,
) {
  const { kind, auth = 'none', params, query, limitedByAddress } = endpoint;
  const { bodyLimit = DEFAULT_BODY_LIMIT, bodyType } = endpoint;
  const body = kind === 'websocket' ? undefined : endpoint.body;
  const readBody = body && bodyReader(bodyLimit, bodyType, bodies);
  const identify = auth === 'none' ? null : authenticate[auth]!;
  const isSomeOff = NETWORKS.some(network => !isFollowed(followed, network));
  const isBodyIgnored = !readBody && kind !== 'proxy';
  return async (call: IncomingCall, request: Request) => {
    // Some of it would wait in memory for as long as the call does.
    if (isBodyIgnored) request.resume();
    if (identify) call.principal = await identify(authorizationOf(request));
    if (limitedByAddress) await limitAddress(limits!, ADDRESS, call);
    const limit = async ({ rateLimit }: Access): Promise<void> => {
      if (rateLimit) await limitCaller(limits!, rateLimit, call);
    };
    if (!endpoint.actions) authorize(call.principal, endpoint, secureSession);
    call.params = validate(params, 'path', request.params);
    call.query = query && validate(query, 'query', request.query);
    if (!endpoint.actions) await limit(endpoint);
    const json = await readBody?.(request, call);
    refuseUnsafeKeys(json);
    call.body = validate(body, 'body', json);
    const { access, action } = accessOf(endpoint, call.body);
    if (action !== null) {
      call.operation = `${call.operation} ${action}`;
      authorize(call.principal, access, secureSession);
      await limit(access);
    }
    if (isSomeOff && endpoint.needs) expectFollowed(followed, endpoint.needs(call));
    if (access.minPosition) call.minPosition = minPositionOf(call.header);
    return { access, action };
  };
}

/** The answer of a call, once all is stored that has to be. @throws what it is refused with; rather what could not be stored */
async function answerOf(call: IncomingCall, wrapped: Promise<Reply<unknown>>): Promise<Reply<unknown>> {
  try {
    return await wrapped;
  } finally {
    await Promise.all(call.beforeAnswer);
  }
}

/** From the outermost: the audit trail, then the limit of failed authentications. */
function middlewareOf({ endpoint, auditSubject }: Binding, { audit, limits }: MountOptions): Middleware {
  const { auth = 'none' } = endpoint;
  const limiting = limits && auth !== 'none' ? limitFailures(limits) : null;
  const auditing = auditSubject ? audit!(auditSubject) : null;
  const inner: Middleware = limiting ?? ((_call, next) => next());
  return auditing ? (call, next) => auditing(call, () => inner(call, next)) : inner;
}

type Send = (
  request: Request,
  response: Response,
  reply: Reply<unknown>,
  call: IncomingCall,
) => Promise<void> | void;

function senderOf(
  { endpoint, handle, heartbeat }: Binding,
  options: MountOptions,
  { connections, feeds, unsent }: Streams,
): Send {
  const { bodyLimit = DEFAULT_BODY_LIMIT, contentType = 'application/octet-stream' } = endpoint;
  const { checkResponses, stopping, heartbeatMs = DEFAULT_HEARTBEAT_MS, logger } = options;
  const observer = isStreaming(endpoint.kind ?? 'json')
    ? options.observeConnections?.(endpoint.path)
    : undefined;
  switch (endpoint.kind ?? 'json') {
    case 'json':
      return sendJson;
    case 'raw':
      return (request, response, reply) => sendRaw(request, response, reply as Reply<RawBody>, contentType);
    case 'sse':
      return (_request, response, reply, call) => {
        const feed = reply as Reply<EventFeed>;
        response.once(
          'close',
          connections.open(call, () => response.destroy(), feed.body.weight),
        );
        return feeds.open(response, feed, observer);
      };
    case 'proxy':
      return (request, response, reply, call) =>
        forward(request, response, reply as Reply<ProxyTarget>, call, bodyLimit);
    case 'websocket': {
      const accept = webSocketAcceptor({
        schema: checkResponses ? endpoint.response : undefined,
        ...{ heartbeatMs, logger, observer },
        stopping,
        handle,
        received: endpoint.body,
        bodyLimit,
        heartbeat,
        connections,
        unsent,
        onBroken: () => options.onBroken?.('websocket'),
      });
      return (request, response, _reply, call) => accept(request, response, call);
    }
  }
}

function assertEnforceable({ endpoint, auditSubject }: Binding, options: MountOptions): void {
  const { kind = 'json', auth = 'none', method, path } = endpoint;
  const needs = (option: string, needed: unknown): void => {
    if (needed && !(option in options)) throw new Error(`${method} ${path} needs the option ${option}`);
  };
  if (auth !== 'none' && !options.authenticate?.[auth]) needs(`authenticate.${auth}`, true);
  const accesses = accessesOf(endpoint);
  needs(
    'secureSession',
    accesses.some(({ secureSession }) => secureSession),
  );
  needs('limits', endpoint.limitedByAddress || accesses.some(({ rateLimit }) => rateLimit));
  needs(
    'idempotency',
    accesses.some(({ idempotency }) => idempotency),
  );
  needs('audit', auditSubject);
  if (kind !== 'json' && accesses.some(({ idempotency }) => idempotency))
    throw new Error(`${method} ${path}: only kind json can be idempotent`);
  if (kind === 'websocket' && method !== 'GET') throw new Error(`${method} ${path}: a WebSocket is a GET`);
}

/** More than one Authorization header is treated as none: Node would ignore all but the first. */
function authorizationOf(request: Request): string | undefined {
  const given = request.headersDistinct['authorization'];
  return given?.length === 1 ? given[0] : undefined;
}

const methodNotAllowed =
  (allowed: readonly string[]): RequestHandler =>
  (_request, response, next) => {
    response.setHeader('Allow', allowed.join(', '));
    next(new Problem('method_not_allowed', `This path accepts ${allowed.join(' and ')}.`));
  };
