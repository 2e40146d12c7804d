import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import type { Endpoint } from '../../contracts/http/endpoint';
import { Problem, problemSchema } from '../../contracts/problem/problem';
import type { ArrivedRequest } from './arrived-request';
import type { Binding } from './binding';
import { isUnreadable } from './caller-address';
import { allowAnyOrigin, setHead, varyBy } from './head';
import { MAX_HEADERS, MAX_HEADERS_BYTES } from './head-limits';
import { mount } from './mount';
import type { MountOptions } from './mount-options';
import { openApiDocument } from './openapi/document';
import { operationsOf } from './openapi/names';
import { docsPages } from './pages/docs';
import { problemPages, sendProblemPage } from './pages/problems';
import { isExpected, problemDocument, problemOf } from './problems';

/** A request and the status of its response, for metrics. `route` is the path pattern, never the path itself. */
interface HandledRequest {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  /** Since it arrived, the wait for its turn included. */
  readonly seconds: number;
}

export interface AppOptions extends MountOptions {
  /** Number of proxies in front of this program that are trusted to report the caller's address. */
  readonly trustedProxies: number;
  readonly onHandled?: (request: HandledRequest) => void;
  /** Whether each request is logged, what pages load at debug: default false. */
  readonly logRequests?: boolean;
  /** Paths that the program itself calls: what succeeds there is logged at debug, too. */
  readonly ownPaths?: ReadonlySet<string>;
  /** Further routers (health, metrics, local networks). */
  readonly routers?: readonly RequestHandler[];
}

/**
 * The Express app: endpoints, their OpenAPI document and pages, and every failure as a problem document.
 * @throws Error when two operations have one name, which the first reader of the document would be told otherwise
 */
export function createApp(bindings: readonly Binding[], options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', options.trustedProxies);
  app.use(identify(options));
  app.use(refuseHead);
  mount(app, bindings, options);
  app.use((_request, response, next) => {
    setHead(response);
    next();
  });
  for (const router of options.routers ?? []) app.use(router);
  const endpoints = bindings.map(({ endpoint }) => endpoint);
  operationsOf(endpoints);
  app.use(docsPages(() => openApiDocument(endpoints)));
  app.use(problemPages(endpoints));
  app.use((_request, _response, next) => next(new Problem('not_found', 'This path does not exist.')));
  app.use(sendProblem(options));
  return app;
}

const CLIENT_REQUEST_ID = /^[\w-]{1,64}$/;

const PROXY_WARNING_MS = 3_600_000;

/** Warns, once an hour, of a proxy whose callers share its limits: none is trusted, or it reports something else than addresses. */
function proxyWarning({ trustedProxies, logger }: AppOptions): (request: Request) => void {
  let silentUntil = -Infinity;
  const faultOf = (request: Request): string | null => {
    if (request.headers['x-forwarded-for'] === undefined) return null;
    if (trustedProxies === 0) return 'X-Forwarded-For ignored because TRUSTED_PROXIES is 0';
    return isUnreadable(request) ? 'X-Forwarded-For has an entry that is not an address' : null;
  };
  return request => {
    const fault = faultOf(request);
    if (fault === null || performance.now() < silentUntil) return;
    silentUntil = performance.now() + PROXY_WARNING_MS;
    logger.warn(
      { proxy: request.socket.remoteAddress },
      `${fault}: all callers behind a proxy share the limits of its address`,
    );
  };
}

function identify(options: AppOptions): RequestHandler {
  const { onHandled, logRequests = false, ownPaths, logger } = options;
  const warnOfProxy = proxyWarning(options);
  return (request, response, next) => {
    warnOfProxy(request);
    const given = request.get('x-request-id');
    const requestId = given && CLIENT_REQUEST_ID.test(given) ? given : randomUUID();
    response.locals.requestId = requestId;
    // A server that is not of `createAppServer` does not say it.
    const { arrivedAt = performance.now() } = request as Partial<ArrivedRequest>;
    if (logRequests) {
      // Without the query, where keys and tokens may be.
      const path = request.originalUrl.split('?', 1)[0]!;
      response.once('close', () => {
        const { statusCode } = response;
        const isRoutine =
          response.locals.isAsset === true || (statusCode < 300 && ownPaths?.has(path) === true);
        logger[isRoutine ? 'debug' : 'info'](
          `${request.method} ${path} ${statusCode} ${Math.round(performance.now() - arrivedAt)} ms`,
        );
      });
    }
    if (onHandled)
      response.once('finish', () =>
        onHandled({
          route: (response.locals.route as string | undefined) ?? 'other',
          method: request.method,
          status: response.statusCode,
          seconds: (performance.now() - arrivedAt) / 1_000,
        }),
      );
    next();
  };
}

/**
 * Refuses large and many headers: the limit of Node is so high here that an endpoint can answer when the path and query are too long. And
 * more than one Host (RFC 9112, section 3.2), of which Node would take the first and a proxy perhaps another, or none.
 */
const refuseHead: RequestHandler = ({ rawHeaders, httpVersion }, _response, next) => {
  let length = 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    length += name.length + rawHeaders[at + 1]!.length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    return next(new Problem('invalid_request', 'A request has one Host header.', CLOSING));
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return next(new Problem('headers_too_large', `A request may have at most ${MAX_HEADERS} headers.`));
  if (length <= MAX_HEADERS_BYTES) return next();
  next(new Problem('headers_too_large', `All headers together may have at most ${MAX_HEADERS_BYTES} bytes.`));
};

/** What follows may be of another client, as a proxy sees it. */
const CLOSING = { headers: { Connection: 'close' } };

function sendProblem({ logger, checkResponses }: AppOptions): ErrorRequestHandler {
  return (error, request, response, next) => {
    const problem = problemOf(error);
    const requestId = response.locals.requestId as string;
    const context = { requestId, method: request.method, route: response.locals.route as unknown };
    if (!isExpected(problem, error)) logger.error({ ...context, err: error as unknown }, 'request failed');
    else if (problem.status >= 500)
      logger.debug({ ...context, code: problem.code }, 'request not answered yet');
    else logger.debug({ ...context, code: problem.code, status: problem.status }, 'request refused');
    if (response.headersSent) return next(error);
    // No endpoint is concerned: that the path or the request is wrong is no secret, and a page has to see it.
    const isUnrouted = response.locals.route === undefined;
    if (isUnrouted) {
      allowAnyOrigin(response);
      varyBy(response, ['Accept']);
    }
    setHead(response);
    for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
    response.status(problem.status);
    const { problemMembers } = response.locals as Pick<Endpoint, 'problemMembers'>;
    const document = { ...problemDocument(problem, requestId), ...problemMembers?.(problem) };
    if (isUnrouted && prefersPage(request)) return sendProblemPage(response, document);
    response.type('application/problem+json');
    response.end(JSON.stringify(checkResponses ? problemSchema.parse(document) : document));
  };
}

/** As a browser does that a person has given the address. */
const prefersPage = (request: Request): boolean =>
  request.accepts(['application/problem+json', 'application/json', 'text/html']) === 'text/html';
