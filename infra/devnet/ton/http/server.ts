import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { IsAllowed } from '../../../config/allowed-hosts';
import { refuse } from '../../refuse-host';
import type { Chain } from '../chain/chain';
import { Unavailable } from '../chain/mempool';
import type { GetMethods } from '../get-method-thread';
import type { Faucet } from '../faucet';
import { accountRoutes } from './accounts';
import { blockRoutes } from './blocks';
import { getMethodRoutes } from './get-methods';
import { liteserverDoubleRoutes } from './liteserver-double';
import { messageRoutes } from './messages';
import { localAppRoutes } from './local-app';
import { localMarketRoutes } from './local-market';
import { tokenDocumentRoutes } from './token-documents';
import { watchBlocks } from './block-notifications';

export interface ServerOptions {
  readonly chain: Chain;
  readonly getMethods: GetMethods;
  readonly faucet: Faucet;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly now: () => number;
  readonly logger: Logger;
  readonly isAllowed: IsAllowed;
}

export interface HttpServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Characters of cached JSON for each network. */
const MAX_CACHED = 16_000_000;

/** Longer than any client keeps an idle socket, so that none writes to a socket that was just closed. */
const KEEP_ALIVE_MS = 65_000;

const allowed =
  (isAllowed: IsAllowed): RequestHandler =>
  (request, response, next) =>
    isAllowed(request.headers) ? next() : refuse(response);

/** Of those that are allowed. */
const anyOrigin: RequestHandler = (request, response, next) => {
  response.vary('Origin').set('access-control-allow-origin', '*').set('access-control-allow-headers', '*');
  if (request.method === 'OPTIONS') response.sendStatus(204);
  else next();
};

const notFound: RequestHandler = (_request, response) => {
  response.status(404).json({ error: 'unknown path' });
};

const onError =
  (logger: Logger): ErrorRequestHandler =>
  (error: Error & { status?: number }, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    if (error instanceof Unavailable) {
      response.status(503).set('retry-after', '1').json({ error: error.message });
      return;
    }
    const { status } = error;
    if (status !== undefined && status >= 400 && status < 500) {
      response.status(status).json({ error: error.message });
      return;
    }
    logger.error({ err: error, url: request.url }, 'request failed');
    response.status(500).json({ error: 'internal error' });
  };

/** Serves a chain over the HTTP API v4 of TON (https://github.com/tonwhales/ton-api-v4), and its faucet. */
export async function serve(options: ServerOptions): Promise<HttpServer> {
  const { chain, getMethods, faucet, host, port, now, logger, isAllowed } = options;
  const cache = new LRUCache<string, string>({
    maxSize: MAX_CACHED,
    sizeCalculation: json => json.length,
  });
  chain.onRollback(() => cache.clear());

  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  app.use(allowed(isAllowed), anyOrigin);
  app.use(blockRoutes(chain, cache));
  app.use(getMethodRoutes(chain, getMethods, cache));
  app.use(accountRoutes(chain, cache));
  app.use(liteserverDoubleRoutes(chain));
  app.use(messageRoutes(chain, faucet));
  app.use(tokenDocumentRoutes(chain.network));
  app.use(localAppRoutes());
  app.use(localMarketRoutes(now));
  app.use(notFound);
  app.use(onError(logger));

  const server = createServer(app);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const unwatch = watchBlocks(server, chain, now, isAllowed);
  server.listen(port, host);
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      unwatch();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
