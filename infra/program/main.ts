import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { leases } from '../../indexers/lease';
import { createProjectionEngine } from '../../projections/engine/engine';
import { createAuthenticator } from '../../services/auth/authenticator';
import { createHandle } from '../../services/handle';
import { createApp } from '../../services/http/app';
import { createAppServer } from '../../services/http/server';
import { createReadThrough } from '../../indexers/observations/read-through';
import { createObservedReader } from '../../services/observations/reader';
import { reactionProgress } from '../../services/reactions/progress';
import { createWatch } from '../../services/watch/commands';
import { admitFirstReads } from '../../services/watch/first-reads';
import { watchTimes } from '../../services/watch/watch-times';
import { isDistributed, openEngines } from '../engines/engines';
import { authConfig, reportKeyFetches } from './auth';
import { CleanupStack } from './cleanup-stack';
import type { Component } from './component';
import { exchangePartner } from './features/exchange/partner';
import { warnOfOpenDataDir } from '../config/data-dir';
import { claimDataDir } from '../engines/data-dir-claim';
import type { ProgramDeps } from './feature';
import { METRICS, OBSERVATIONS, ownHosts, PROJECTIONS, QUOTAS, reactionsOf } from './features';
import { createHealth, healthRouter, type CheckHealth } from './health';
import { homePage } from './home-page';
import { diskGauges, engineChecks, healthGauges } from './health-checks';
import { instrumented } from './instrumented';
import { close, listen } from './listen';
import { defaultFormat } from '../config/logger';
import { createMetrics, metricsRouter, serveMetrics, streamMetrics } from './metrics';
import { networksOf } from '../config/network-settings';
import { findNetworks, runNetworks, type Networks } from './networks';
import { resourcesOf } from './resources';
import { createLossDetector } from './lost-data';
import { guardAgainstLoss } from './loss-guard';
import { rateLimits } from './rate-limits';
import { createReadWait, READ_WAIT_MS } from './read-wait';
import { ROLES, startRole } from './roles';
import { publishRunning } from './running-file';
import type { Config } from '../config/settings';
import { createSources } from './sources';
import { declareTopics } from './topics';
import { watchWrites } from './write-health';

/** Roles that write neither events nor records. */
const RUN_AFTER_LOSS = ['api', 'bridge'];

export interface Running {
  /** Where the API answers. */
  readonly url: string;
  /** Drains: finishes open requests and jobs, then closes the engines. */
  stop(): Promise<void>;
  /** Rejects with an error that only an operator can fix. */
  readonly failed: Promise<never>;
}

/**
 * Runs the roles in this process, on the engines that the settings name.
 * @param open opens these
 * @throws WrongSettings, CannotOpen; what is already open is closed again
 */
export async function start(
  config: Config,
  logger: Logger,
  roles: readonly string[] = ROLES,
  open: typeof openEngines = openEngines,
): Promise<Running> {
  const cleanup = new CleanupStack();
  try {
    return await startOn(cleanup, config, logger, roles, open);
  } catch (error) {
    await cleanup.run().catch((err: unknown) => logger.error({ err }, 'resources not closed'));
    throw error;
  }
}

async function startOn(
  cleanup: CleanupStack,
  config: Config,
  logger: Logger,
  roles: readonly string[],
  open: typeof openEngines,
): Promise<Running> {
  const releaseFolders = claimFolders(config, roles);
  cleanup.defer(() => logger.info('stopped'));
  cleanup.defer(releaseFolders);
  warnOfOpenDataDir(config.DATA_DIR, logger);
  const startingNetworks = startNetworks(cleanup, config, logger, roles);
  const metrics = createMetrics(METRICS);
  const authenticate = await createAuthenticator(
    await authConfig(config, Date.now, reportKeyFetches(metrics, logger)),
  );

  const opened = instrumented(await open(config, logger), metrics);
  const { engines: watched, writeHealth } = watchWrites(opened, Date.now);
  const lossGuard = guardAgainstLoss(watched);
  const { engines } = lossGuard;
  cleanup.defer(engines.close);

  const clock = (): Date => new Date();
  const projecting = new AbortController();
  const engine = createProjectionEngine({
    projections: PROJECTIONS,
    ...engines,
    clock,
    logger,
    signal: projecting.signal,
  });
  cleanup.defer(() => projecting.abort());

  const networks = await startingNetworks;

  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal);
  const { store, documents } = engines;
  const sources = createSources({
    networks,
    config,
    documents,
    exchange: () => use(exchangePartner),
    logger,
    signal,
  });
  cleanup.defer(sources.close);

  const readWait = createReadWait(config);
  const deps: ProgramDeps = {
    config,
    engines,
    engine,
    networks,
    sources,
    handle: createHandle({ store }),
    watch: createWatch({
      store,
      clock,
      followed: networks.followed,
      ...watchTimes(config.WATCH_EXPIRY_DAYS),
      admit: admitFirstReads({
        limits: () => use(rateLimits),
        views: engine.views,
        maxWatched: config.MAX_WATCHED_ACCOUNTS,
        logger,
      }),
    }),
    observed(observation) {
      if (!OBSERVATIONS.some(({ kind }) => kind === observation.kind))
        throw new Error(
          `${observation.kind} is not among the observations of a feature: nothing would read it`,
        );
      return createObservedReader(observation, {
        views: engine.views,
        jobs: engines.jobs,
        logger,
        now: Date.now,
        ...readWait,
        isWrongNetwork: sources.isWrongNetwork,
        followed: networks.followed,
      });
    },
    readThrough: definition =>
      createReadThrough(definition, {
        ...sources,
        followed: networks.followed,
        logger,
        now: () => clock().getTime(),
        waitMs: READ_WAIT_MS,
      }),
    readWait,
    quotas: QUOTAS,
    leases: isDistributed(config) ? leases(documents) : null,
    metrics,
    logger,
    clock,
    signal,
    assertComplete: lossGuard.assertComplete,
    use: resource => use(resource),
  };
  // Closed after the components that use them have stopped, whenever they were opened.
  const resources = new CleanupStack();
  cleanup.defer(() => resources.run());
  const use = resourcesOf(deps, resources);

  const components: Component[] = [];
  cleanup.defer(() => {
    stopping.abort();
    return Promise.allSettled(components.map(({ done }) => done));
  });
  components.push(await declareTopics(engines.log, deps));
  await lossGuard.watch(
    createLossDetector(engines, async () => [
      ...lossGuard.known(),
      ...(await engine.progress()),
      ...(await reactionProgress(engines, reactionsOf(config, engines))),
    ]),
    behind => {
      logger.error(behind.message);
      // Ends all workers. Documents can still be read.
      stopping.abort();
    },
    signal,
  );
  components.push({ checks: [lossGuard.check] });
  const started = lossGuard.found() ? roles.filter(role => RUN_AFTER_LOSS.includes(role)) : roles;
  for (const role of started) components.push(...(await startRole(role, deps)));

  let isStopping = false;
  components.push({
    checks: [
      { name: 'program', vital: true, run: async () => (isStopping ? 'the program is stopping' : null) },
    ],
  });
  const checkHealth = createHealth([
    ...engineChecks(engines, writeHealth),
    ...sources.checks,
    ...components.flatMap(({ checks = [] }) => checks),
  ]);

  const { HOST, PORT, METRICS_HOST, METRICS_PORT } = config;
  // A gauge of what cannot be read at the moment keeps its value; all others are served.
  const metricsPage = metricsRouter(metrics, () =>
    Promise.allSettled([
      ...components.map(async component => component.refresh?.()),
      healthGauges(metrics, checkHealth),
      diskGauges(metrics, config.DATA_DIR),
    ]),
  );
  if (METRICS_PORT !== undefined) {
    const served = await serveMetrics(metricsPage, { host: METRICS_HOST, port: METRICS_PORT });
    cleanup.defer(served.close);
    logger.info({ url: served.url }, 'metrics are served apart from the API');
  }

  const draining = new AbortController();
  // One for each stream and wait.
  setMaxListeners(0, draining.signal);
  const app = createProgramApp(
    components,
    METRICS_PORT === undefined ? [metricsPage] : [],
    deps,
    started,
    authenticate,
    checkHealth,
    draining.signal,
  );
  const serve = async (port: number, setting: string, basePath: string): Promise<string> => {
    const server = createAppServer(app, {
      basePath,
      maxConnections: config.MAX_CONNECTIONS,
      onRefused: () => metrics.refusedConnections.inc(),
    });
    const at = await listen(server, { host: HOST, port, settings: { host: 'HOST', port: setting } });
    cleanup.defer(() => {
      // Ends event streams and WebSockets, which would keep the server open.
      draining.abort();
      return close(server);
    });
    return at;
  };
  for (const { basePath, port, setting } of ownHosts(config, started))
    logger.info(
      { url: await serve(port, setting, basePath), path: basePath },
      'path is served at a port too',
    );
  const url = await serve(PORT, 'PORT', '');
  // Several processes share the folder of distributed engines.
  if (!isDistributed(config))
    cleanup.defer(
      publishRunning(config.DATA_DIR, { pid: process.pid, url, startedAt: clock().toISOString() }),
    );

  const done = Promise.all(components.map(component => component.done));
  // The caller listens to `failed` only after the start.
  done.catch(() => undefined);
  return {
    url,
    failed: done.then(() => new Promise<never>(() => undefined)),
    async stop() {
      logger.info('stopping');
      isStopping = true;
      await sleep(config.DRAIN_SECONDS * 1_000);
      await cleanup.run().catch((err: unknown) => logger.error({ err }, 'not stopped cleanly'));
    },
  };
}

/** The endpoints of the process, with its health and other pages beside them. */
function createProgramApp(
  components: readonly Component[],
  pages: readonly RequestHandler[],
  { config, networks, metrics, logger }: ProgramDeps,
  roles: readonly string[],
  authenticate: Awaited<ReturnType<typeof createAuthenticator>>,
  checkHealth: CheckHealth,
  stopping: AbortSignal,
): Express {
  return createApp(
    components.flatMap(({ bindings = [] }) => bindings),
    {
      ...components.find(({ policies }) => policies)?.policies,
      logger,
      authenticate: { bearer: authenticate },
      stopping,
      followed: networks.followed,
      checkResponses: config.CHECK_RESPONSES,
      logRequests: (config.LOG_FORMAT ?? defaultFormat('stdout')) === 'pretty',
      trustedProxies: config.TRUSTED_PROXIES,
      connectionLimits: { total: config.MAX_STREAMS, perCaller: config.MAX_STREAMS_PER_CALLER },
      onUnreadClosed: () => metrics.unreadConnections.inc(),
      heartbeatMs: config.STREAM_HEARTBEAT_SECONDS * 1_000,
      observeConnections: route => streamMetrics(metrics, route),
      onHandled: ({ route, method, status, seconds }) =>
        metrics.httpSeconds.observe({ route, method, status: String(status) }, seconds),
      routers: [
        healthRouter(checkHealth),
        homePage({
          checkHealth,
          roles,
          instance: config.INSTANCE_ID,
          hasLocalNetworks: networks.local.ton.size + networks.local.solana.size > 0,
          off: networksOf(config, 'off'),
        }),
        ...pages,
        ...components.flatMap(({ routers = [] }) => routers),
      ],
    },
  );
}

/** Local networks start in a thread of their own while this one loads the program and opens the engines. */
function startNetworks(
  cleanup: CleanupStack,
  config: Config,
  logger: Logger,
  roles: readonly string[],
): Promise<Networks> {
  const starting = (async () =>
    roles.includes('networks') ? runNetworks(config, logger) : findNetworks(config))();
  // A failure is thrown where the networks are first needed; they have closed what they had opened.
  const close = starting.then(
    networks => networks.close,
    () => () => undefined,
  );
  cleanup.defer(async () => (await close)());
  return starting;
}

/** Two programs never write to one folder: that of the embedded engines, and that of the local networks. */
function claimFolders(config: Config, roles: readonly string[]): () => void {
  if (!isDistributed(config)) return claimDataDir(config.DATA_DIR);
  if (roles.includes('networks')) return claimDataDir(join(config.DATA_DIR, 'networks'));
  return () => undefined;
}
