import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import express, { type RequestHandler } from 'express';
import type { Config } from '../config/settings';
import { allowHosts, isThisMachine } from '../config/allowed-hosts';
import { close, listen, type ListenOptions } from './listen';

/** The port that Prometheus exporters of OpenTelemetry have by default. */
const DEFAULT_PORT = 9464;

/** Where metrics and the reasons of health are served. A program that takes a free port for its API takes one for them, too. */
export function operatorsAddress({ PORT, METRICS_HOST, METRICS_PORT }: Config): ListenOptions {
  return {
    host: METRICS_HOST,
    port: METRICS_PORT ?? (PORT === 0 ? 0 : DEFAULT_PORT),
    settings: { host: 'METRICS_HOST', port: 'METRICS_PORT' },
  };
}

/** What somebody sees who opens the address itself. */
const PAGES = 'Tidemark, for operators: /metrics and /health/ready\n';

/** Serves the pages of operators, which the API does not have, at an address of this machine for this machine alone. @throws CannotListen */
export async function serveOperators(
  pages: readonly RequestHandler[],
  at: ListenOptions,
): Promise<{ readonly url: string; close(grace?: AbortSignal): Promise<void> }> {
  const app = express().disable('x-powered-by');
  app.use((_request, response, next) => {
    response.locals.requestId = randomUUID();
    next();
  });
  if (isThisMachine(at.host)) app.use(forThisMachine);
  app.get('/', (_request, response) => void response.type('text').end(PAGES));
  const server = createServer(app.use(...pages));
  return { url: await listen(server, at), close: grace => close(server, grace) };
}

const isAllowed = allowHosts([]);

/** Names of hosts are those of a scraper's configuration where others reach it; here they are those of pages in a browser. */
const forThisMachine: RequestHandler = (request, response, next) => {
  if (isAllowed(request.headers)) next();
  else
    response
      .status(403)
      .type('text')
      .send('This address answers requests to this machine: see METRICS_HOST.\n');
};
