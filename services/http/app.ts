import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { Problem } from '../../contracts/problem';
import type { Binding } from './binding';
import { docsPages } from './docs';
import { setHead } from './head';
import { mount, type MountOptions } from './mount';
import { openApiDocument } from './openapi';
import { problemDocument, problemOf } from './problems';

/** One request that was answered, for metrics. `route` is the path pattern, never the path itself. */
export interface Answered {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

export interface AppOptions extends MountOptions {
  readonly logger: Logger;
  /** How many proxies before us may be believed about the caller's address. */
  readonly trustedProxies: number;
  readonly onAnswered?: (answered: Answered) => void;
  /** Routers of other shapes (health, metrics, local networks) mounted beside the endpoints. */
  readonly beside?: readonly RequestHandler[];
}

/** The express app: endpoints, their OpenAPI document and pages, and every failure as a problem document. */
export function createApp(bindings: readonly Binding[], options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', options.trustedProxies);
  app.use(identify(options));
  mount(app, bindings, options);
  app.use((_request, response, next) => {
    setHead(response);
    next();
  });
  for (const router of options.beside ?? []) app.use(router);
  app.use(docsPages(openApiDocument(bindings.map(({ endpoint }) => endpoint))));
  app.use((_request, _response, next) => next(new Problem(404, 'not_found', 'There is no such path here.')));
  app.use(answerProblem(options.logger));
  return app;
}

const CLIENT_REQUEST_ID = /^[\w-]{1,64}$/;

function identify({ onAnswered }: AppOptions): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id');
    const requestId = given && CLIENT_REQUEST_ID.test(given) ? given : randomUUID();
    response.locals.requestId = requestId;
    if (onAnswered) {
      const started = performance.now();
      response.once('finish', () =>
        onAnswered({
          route: (response.locals.route as string | undefined) ?? 'other',
          method: request.method,
          status: response.statusCode,
          seconds: (performance.now() - started) / 1_000,
        }),
      );
    }
    next();
  };
}

function answerProblem(logger: Logger): ErrorRequestHandler {
  return (error, request, response, next) => {
    const problem = problemOf(error);
    const requestId = response.locals.requestId as string;
    const context = { requestId, method: request.method, route: response.locals.route as unknown };
    if (problem.status >= 500) logger.error({ ...context, err: error as unknown }, 'request failed');
    else logger.debug({ ...context, code: problem.code, status: problem.status }, 'request refused');
    if (response.headersSent) return next(error);
    setHead(response);
    for (const [name, value] of Object.entries(problem.more.headers ?? {})) response.setHeader(name, value);
    response.status(problem.status).type('application/problem+json');
    response.end(JSON.stringify(problemDocument(problem, requestId)));
  };
}
