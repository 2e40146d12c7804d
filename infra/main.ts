import { setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createProjectionEngine } from '../projections/engine/engine';
import { createAuthenticator } from '../services/auth/authenticator';
import { createApp } from '../services/http/app';
import { authConfig } from './auth';
import { followChains } from './chains';
import { WrongSettings, type Config } from './config';
import { claimDataDir } from './data-dir';
import { openEngines } from './engines';
import { healthRouter } from './health';
import { measured } from './measured';
import { createMetrics, metricsRouter } from './metrics';
import { openNetworks } from './networks';
import { READ_MODELS } from './read-models';
import { routes } from './routes';
import { checks, refreshGauges } from './standing';
import { openLocalEconomy } from './devnet/economy';
import { devnetPage } from './devnet/page';

export interface Running {
  /** Where the API answers. */
  readonly url: string;
  /** Drains: answers what was asked, finishes what is in hand, closes the engines. */
  stop(): Promise<void>;
  /** Rejects when something failed that only an operator can mend. */
  readonly failed: Promise<never>;
}

/** Milliseconds an idle connection is kept: longer than load balancers and clients keep theirs. */
const KEEP_ALIVE = 65_000;

/** Every role of the program in this process, on the embedded engines. */
export async function start(config: Config, logger: Logger): Promise<Running> {
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal);
  const clock = (): Date => new Date();
  const release = claimDataDir(config.DATA_DIR);
  const metrics = createMetrics();
  const authenticate = await createAuthenticator(await authConfig(config, Date.now));
  const engines = measured(openEngines(config), metrics);
  const projecting = new AbortController();
  const engine = createProjectionEngine({
    projections: READ_MODELS,
    ...engines,
    clock,
    logger,
    signal: projecting.signal,
  });

  const networks = await openNetworks(config, logger);
  const chains = followChains({ config, engines, networks, metrics, logger, signal });
  const projected = engine.run(signal);
  const economy = openLocalEconomy(config, networks, logger, signal);

  const bindings = routes({
    config,
    store: engines.store,
    views: engine.views,
    request: chains.request,
    clock,
    logger,
  });
  const app = createApp(bindings, {
    logger,
    authenticate,
    checkResponses: false,
    trustedProxies: config.TRUSTED_PROXIES,
    onAnswered: ({ route, method, status, seconds }) =>
      metrics.httpSeconds.observe({ route, method, status: String(status) }, seconds),
    beside: [
      healthRouter(checks(engine, chains, engines)),
      metricsRouter(metrics, () => refreshGauges(metrics, engine, chains)),
      devnetPage(networks, economy),
    ],
  });
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE, requestTimeout: 30_000 }, app);
  const url = await listen(server, config);

  return {
    url,
    failed: Promise.all([chains.done, projected]).then(() => new Promise<never>(() => undefined)),
    async stop() {
      logger.info('stopping');
      await closed(server);
      stopping.abort();
      await Promise.allSettled([chains.done, projected, economy.stopped]);
      await networks.close();
      projecting.abort();
      await engines.close();
      release();
      logger.info('stopped');
    },
  };
}

function listen(server: Server, { HOST, PORT }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen('PORT', PORT, error)));
    server.listen(PORT, HOST, () => {
      const { port } = server.address() as AddressInfo;
      resolve(`http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`);
    });
  });
}

const cannotListen = (setting: string, port: number, error: Error): Error =>
  new WrongSettings(`${setting}=${port}: ${error.message}`);

/** Milliseconds between two looks for connections that have fallen idle. */
const LOOK_FOR_IDLE = 50;

/**
 * Takes no new connection and drops idle ones. One in use ends with its answer: kept alive for a next request, as
 * clients and load balancers ask for, it would hold up the drain.
 */
const closed = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    const idle = setInterval(() => server.closeIdleConnections(), LOOK_FOR_IDLE);
    server.close(() => {
      clearInterval(idle);
      resolve();
    });
  });
