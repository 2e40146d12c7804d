import { setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createProjectionEngine } from '../projections/engine/engine';
import { createAuthenticator } from '../services/auth/authenticator';
import { createApp } from '../services/http/app';
import { createAppServer } from '../services/http/server';
import { authConfig } from './auth';
import { WrongSettings, type Config } from './config';
import { claimDataDir } from './data-dir';
import { isDistributed, openEngines } from './engines';
import { healthRouter } from './health';
import { measured } from './measured';
import { createMetrics, metricsRouter } from './metrics';
import { findNetworks, runNetworks } from './networks';
import { READ_MODELS } from './read-models';
import { routes } from './routes';
import { indexSolana } from './roles/indexer-solana';
import { indexTon } from './roles/indexer-ton';
import { workJobs } from './roles/jobs';
import { peopleNetworks } from './roles/networks';
import { project } from './roles/projections';
import { ROLES, type Part, type Role, type RoleDeps } from './roles/role';
import { createSources } from './sources';
import { engineChecks, projectionsCheck } from './standing';
import { TOPICS } from './topics';

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

const PARTS: Readonly<Record<Exclude<Role, 'api'>, (deps: RoleDeps) => Part>> = {
  'indexer-ton': indexTon,
  'indexer-solana': indexSolana,
  projections: project,
  jobs: workJobs,
  networks: peopleNetworks,
};

/** Plays the roles in this process, on the engines that the settings name. @throws WrongSettings, CannotOpen */
export async function start(
  config: Config,
  logger: Logger,
  roles: readonly Role[] = ROLES,
): Promise<Running> {
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal);
  const clock = (): Date => new Date();
  const plays = (role: Role): boolean => roles.includes(role);
  const release = claimFolders(config, roles);
  const metrics = createMetrics();
  const authenticate = await createAuthenticator(await authConfig(config, Date.now));
  const engines = measured(await openEngines(config, logger), metrics);
  await engines.log.declare(TOPICS);
  const projecting = new AbortController();
  const engine = createProjectionEngine({
    projections: READ_MODELS,
    ...engines,
    clock,
    logger,
    signal: projecting.signal,
  });
  const networks = plays('networks') ? await runNetworks(config, logger) : findNetworks(config);
  const sources = createSources(networks, logger, signal);

  const deps = { config, engines, engine, networks, sources, metrics, logger, signal };
  const parts = ROLES.filter(plays).map(role =>
    role === 'api' ? { checks: [projectionsCheck(engine)] } : PARTS[role](deps),
  );
  const done = Promise.all(parts.map(part => part.done));
  // Whoever runs the program listens to `failed`, but only once it is up.
  done.catch(() => undefined);
  const app = createApp(plays('api') ? routes({ ...deps, clock }) : [], {
    logger,
    authenticate,
    checkResponses: false,
    trustedProxies: config.TRUSTED_PROXIES,
    onAnswered: ({ route, method, status, seconds }) =>
      metrics.httpSeconds.observe({ route, method, status: String(status) }, seconds),
    beside: [
      healthRouter([...engineChecks(engines), ...parts.flatMap(part => part.checks ?? [])]),
      metricsRouter(metrics, () => Promise.all(parts.map(part => part.refresh?.()))),
      ...parts.flatMap(part => part.pages ?? []),
    ],
  });
  const server = createAppServer(app, { keepAliveTimeout: KEEP_ALIVE, requestTimeout: 30_000 });
  const url = await listen(server, config);
  return {
    url,
    failed: done.then(() => new Promise<never>(() => undefined)),
    async stop() {
      logger.info('stopping');
      await closed(server);
      stopping.abort();
      await Promise.allSettled(parts.map(part => part.done));
      await sources.close();
      await networks.close();
      projecting.abort();
      await engines.close();
      release();
      logger.info('stopped');
    },
  };
}

/** Two programs never write one folder: that of the embedded engines, and that of the local networks. */
function claimFolders(config: Config, roles: readonly Role[]): () => void {
  const claims: (() => void)[] = [];
  if (!isDistributed(config)) claims.push(claimDataDir(config.DATA_DIR));
  else if (roles.includes('networks')) claims.push(claimDataDir(join(config.DATA_DIR, 'networks')));
  return () => claims.forEach(release => release());
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
