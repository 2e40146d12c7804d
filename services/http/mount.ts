import type { Express, RequestHandler } from 'express';
import type { Endpoint } from '../../contracts/http/endpoint';
import { Problem } from '../../contracts/problem/problem';
import type { Binding } from './binding';
import { createConnections, type ConnectionLimits } from './connections';
import { preflight } from './cors';
import { createFeeds } from './event-feed';
import { handler } from './handler';
import { allowAnyOrigin, varyBy } from './head';
import { DEFAULT_TARGET_LIMIT } from './head-limits';
import { createIncompleteBodies } from './incomplete-bodies';
import { DEFAULT_HEARTBEAT_MS, type MountOptions } from './mount-options';
import { createRouteGroups } from './route-groups';
import { createUnsentBytes } from './unsent';

const NO_CONNECTION_LIMITS: ConnectionLimits = { total: 0, perCaller: 0 };

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

const methodNotAllowed =
  (allowed: readonly string[]): RequestHandler =>
  (_request, response, next) => {
    response.setHeader('Allow', allowed.join(', '));
    next(new Problem('method_not_allowed', `This path accepts ${allowed.join(' and ')}.`));
  };
