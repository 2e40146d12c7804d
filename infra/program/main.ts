import { setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createProjectionEngine } from '../../projections/engine/engine';
import { createAuthenticator } from '../../services/auth/authenticator';
import { createApp } from '../../services/http/app';
import { createAppServer } from '../../services/http/server';
import { openLedgerAsOf } from './as-of/ledger';
import { openAdmission } from './request-policies';
import { authConfig } from './auth';
import { WrongSettings, type Config } from './config';
import { claimDataDir } from './data-dir';
import { isDistributed, openEngines } from '../engines/engines';
import { openPersonalTexts } from './erasure';
import { healthRouter } from './health';
import { measured } from './instrumented';
import { createMetrics, metricsRouter } from './metrics';
import { findNetworks, runNetworks } from './networks';
import { READ_MODELS } from './read-models';
import { watchRefusals } from './write-health';
import { PATIENCE, routes } from './routes';
import { indexSolana } from './roles/indexer-solana';
import { indexTon } from './roles/indexer-ton';
import { workJobs } from './roles/jobs';
import { peopleNetworks } from './roles/networks';
import { project } from './roles/projections';
import { ROLES, type Part, type Role, type RoleDeps } from './roles/role';
import { declareTopics } from './roles/topics';
import { openSeal } from './seal';
import { createSources } from './sources';
import { engineChecks, projectionsCheck } from './health-checks';

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

/**
 * Plays the roles in this process, on the engines that the settings name.
 * @param open how these are opened
 * @throws WrongSettings, CannotOpen
 */
export async function start(
  config: Config,
  logger: Logger,
  roles: readonly Role[] = ROLES,
  open: typeof openEngines = openEngines,
): Promise<Running> {
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal);
  const clock = (): Date => new Date();
  const plays = (role: Role): boolean => roles.includes(role);
  const release = claimFolders(config, roles);
  const metrics = createMetrics();
  const authenticate = await createAuthenticator(await authConfig(config, Date.now));
  const opened = measured(await open(config, logger), metrics);
  const { engines, refusals } = watchRefusals(opened, Date.now);
  const topics = await declareTopics({ engines, logger, signal });
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

  const seal = await openSeal(config, engines, PATIENCE);

  const deps = { config, engines, engine, networks, sources, seal, metrics, logger, signal };
  const played = ROLES.filter(plays).map((role): Part =>
    role === 'api' ? { checks: [projectionsCheck(engine)] } : PARTS[role](deps),
  );
  const parts = [topics, ...played];
  const done = Promise.all(parts.map(part => part.done));
  // Whoever runs the program listens to `failed`, but only once it is up.
  done.catch(() => undefined);
  const asOf = plays('api')
    ? await openLedgerAsOf(config, { store: engines.store, patience: PATIENCE, logger, signal })
    : null;
  const texts = asOf && (await openPersonalTexts(config, engines));
  const admission = texts && (await openAdmission(config, { store: engines.store, texts, clock, logger }));
  const bindings = asOf && texts && admission ? routes({ ...deps, asOf, clock, texts, admission }) : [];
  const app = createApp(bindings, {
    logger,
    authenticate,
    checkResponses: false,
    trustedProxies: config.TRUSTED_PROXIES,
    onAnswered: ({ route, method, status, seconds }) =>
      metrics.httpSeconds.observe({ route, method, status: String(status) }, seconds),
    beside: [
      healthRouter([...engineChecks(engines, refusals), ...parts.flatMap(part => part.checks ?? [])]),
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
      await asOf?.close();
      await admission
        ?.close()
        .catch((error: unknown) => logger.error({ error }, 'refusals could not be audited'));
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
