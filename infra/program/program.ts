import { setMaxListeners } from 'node:events';
import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Clients } from '../../contracts/observation/observation';
import { createAuthenticator } from '../../services/auth/authenticator';
import { createApp } from '../../services/http/app';
import { reactionProgress } from '../../services/reactions/progress';
import { defaultFormat } from '../config/logger';
import { networksOf } from '../config/network-settings';
import type { Config } from '../config/settings';
import { version } from '../config/version';
import { openEngines, type Engines } from '../engines/engines';
import { authConfig, reportKeyFetches } from './auth/auth';
import type { CleanupStack } from './cleanup-stack';
import type { Component } from './component';
import { createProgramDeps } from './deps';
import { reactionsOf } from './feature-set';
import type { ProgramDeps, FeatureSet } from './feature';
import { reportEngineOutages } from './health/outages';
import { createHealth, healthRouter, type CheckHealth } from './health/health';
import { diskGauges, engineChecks, foreignEventsCheck, healthGauges } from './health/health-checks';
import { homePage } from './home-page';
import { assertIdentity, ensureIdentity } from './identity';
import { graceOfRequests } from './listen';
import { instrumented } from './metrics/instrumented';
import { createLossDetector } from './loss/lost-data';
import { guardAgainstLoss, type LossGuard } from './loss/loss-guard';
import { createMetrics, metricsRouter, streamMetrics, type Metrics } from './metrics/metrics';
import type { Networks } from './sources/networks';
import type { ReadWait } from './requests/read-wait';
import { runsAfterLoss, startRole } from './roles';
import { declareTopics } from './topics';
import { watchWrites, type WriteHealth } from './health/write-health';

export interface ProgramOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly features: FeatureSet;
  readonly roles: readonly string[];
  /** They may still be starting. */
  readonly networks: Networks | Promise<Networks>;
  /** Opens the engines; default: those that the settings name. */
  readonly open?: typeof openEngines;
  readonly clock?: () => Date;
  /** Doubles of what is read from outside. */
  readonly clients?: Partial<Clients>;
  readonly readWait?: Partial<ReadWait>;
}

/** A program that runs, and has no address yet. */
export interface Program {
  readonly app: Express;
  /** Metrics, and health with its reasons: for the operators' address, not for the app. */
  readonly operatorsPages: readonly RequestHandler[];
  readonly deps: ProgramDeps;
  /** Those that run: after a loss of data, fewer than were asked for. */
  readonly roles: readonly string[];
  readonly checkHealth: CheckHealth;
  /** Says in its health that it will stop. */
  announceStop(): void;
  /**
   * Ends event streams and WebSockets, which would keep a server open.
   * @returns for `close` of the servers: they have their grace together
   */
  drain(): AbortSignal;
  /** Rejects with an error that only an operator can fix. */
  readonly done: Promise<unknown>;
}

/**
 * Opens the engines, starts the roles of the features on them, and makes their app.
 * @param cleanup stops and closes all of it
 * @throws WrongSettings, CannotOpen
 */
export async function createProgram(options: ProgramOptions, cleanup: CleanupStack): Promise<Program> {
  const { config, logger, features, clock = () => new Date() } = options;
  const metrics = createMetrics(features.metrics);
  const authenticate = await createAuthenticator(
    await authConfig(config, Date.now, reportKeyFetches(metrics, logger)),
  );
  const { engines, writeHealth, lossGuard } = await openGuarded(options, metrics, cleanup);

  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const networks = await options.networks;
  const deps = createProgramDeps(
    {
      config,
      features,
      engines,
      networks,
      metrics,
      logger,
      clock,
      signal: stopping.signal,
      assertComplete: lossGuard.assertComplete,
      clients: options.clients,
      readWait: options.readWait,
    },
    cleanup,
  );

  const components: Component[] = [];
  cleanup.defer(() => {
    stopping.abort();
    return Promise.allSettled(components.map(({ done }) => done));
  });
  components.push(await declareTopics(engines.log, features.topics, deps));
  components.push(await watchForLoss(lossGuard, deps, stopping));
  await checkIdentity(lossGuard, deps);
  const roles = lossGuard.found()
    ? options.roles.filter(role => runsAfterLoss(features, role))
    : options.roles;
  for (const role of roles) components.push(...(await startRole(role, deps)));

  const { checkHealth, announceStop } = createProgramHealth(deps, components, writeHealth);
  const { draining, drain } = createDrain();
  return {
    app: createProgramApp(deps, components, {
      authenticate,
      pages: [healthRouter(checkHealth, { forOperators: false }), createHomePage(deps, roles, checkHealth)],
      stopping: draining,
    }),
    operatorsPages: [
      createMetricsPage(deps, components, checkHealth),
      healthRouter(checkHealth, { forOperators: true }),
    ],
    deps,
    roles,
    checkHealth,
    announceStop,
    drain,
    done: Promise.all(components.map(({ done }) => done)),
  };
}

/** The engines, behind what measures appends, notices failed writes and refuses to go on after a loss of data. */
async function openGuarded(
  { config, logger, open = openEngines }: ProgramOptions,
  metrics: Metrics,
  cleanup: CleanupStack,
): Promise<{
  readonly engines: Engines;
  readonly writeHealth: WriteHealth;
  readonly lossGuard: LossGuard;
}> {
  const opened = reportEngineOutages(instrumented(await open(config, logger), metrics), logger);
  const { engines: watched, writeHealth } = watchWrites(opened, Date.now);
  const lossGuard = guardAgainstLoss(watched);
  const { engines } = lossGuard;
  cleanup.defer(engines.close);
  return { engines, writeHealth, lossGuard };
}

/** Looks once whether the event store or the log has lost data, and again from time to time: then all workers end. */
async function watchForLoss(
  lossGuard: LossGuard,
  { features, config, engines, engine, logger, signal }: ProgramDeps,
  stopping: AbortController,
): Promise<Component> {
  await lossGuard.watch(
    createLossDetector(engines, async () => [
      ...lossGuard.known(),
      ...(await engine.progress()),
      ...(await reactionProgress(engines, reactionsOf(features, config, engines))),
    ]),
    behind => {
      logger.error(behind.message);
      // Documents can still be read.
      stopping.abort();
    },
    signal,
  );
  return { checks: [lossGuard.check] };
}

/** Before any role runs. Nothing is recorded after a loss. @throws WrongSettings */
async function checkIdentity(
  lossGuard: LossGuard,
  { config, engines: { store }, clock }: ProgramDeps,
): Promise<void> {
  if (lossGuard.found()) return assertIdentity(config, store);
  return ensureIdentity(config, store, { now: clock().toISOString(), actor: 'tidemark' });
}

/** Of the engines, the sources, the roles, and the program itself until its stop is announced. */
function createProgramHealth(
  { engines, sources }: ProgramDeps,
  components: readonly Component[],
  writeHealth: WriteHealth,
): { readonly checkHealth: CheckHealth } & Pick<Program, 'announceStop'> {
  let isStopping = false;
  return {
    checkHealth: createHealth([
      ...engineChecks(engines, writeHealth),
      foreignEventsCheck(engines),
      ...sources.checks,
      ...components.flatMap(({ checks = [] }) => checks),
      { name: 'program', vital: true, run: async () => (isStopping ? 'the program is stopping' : null) },
    ]),
    announceStop: () => void (isStopping = true),
  };
}

/** The signal that ends streams and waits, and what fires it. */
function createDrain(): { readonly draining: AbortSignal } & Pick<Program, 'drain'> {
  const draining = new AbortController();
  // One for each stream and wait.
  setMaxListeners(0, draining.signal);
  let grace: AbortSignal | undefined;
  return {
    draining: draining.signal,
    drain() {
      draining.abort();
      return (grace ??= graceOfRequests());
    },
  };
}

/** A gauge of what cannot be read at the moment keeps its value; all others are served. */
function createMetricsPage(
  { metrics, config }: ProgramDeps,
  components: readonly Component[],
  checkHealth: CheckHealth,
): RequestHandler {
  return metricsRouter(metrics, () =>
    Promise.allSettled([
      ...components.map(async component => component.refresh?.()),
      healthGauges(metrics, checkHealth),
      diskGauges(metrics, config.DATA_DIR),
    ]),
  );
}

function createHomePage(
  { config, networks: { local } }: ProgramDeps,
  roles: readonly string[],
  checkHealth: CheckHealth,
): RequestHandler {
  return homePage({
    checkHealth,
    version: version(),
    hasConsole: roles.includes('api'),
    instance: config.INSTANCE_ID,
    hasLocalNetworks: local.ton.size + local.solana.size > 0,
    off: networksOf(config, 'off'),
  });
}

/** The endpoints of the process, and its pages beside them. */
function createProgramApp(
  { config, features, networks, metrics, logger }: ProgramDeps,
  components: readonly Component[],
  {
    authenticate,
    pages,
    stopping,
  }: {
    readonly authenticate: Awaited<ReturnType<typeof createAuthenticator>>;
    readonly pages: readonly RequestHandler[];
    readonly stopping: AbortSignal;
  },
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
      ownPaths: new Set(features.all.flatMap(({ ownPaths }) => ownPaths?.(config) ?? [])),
      trustedProxies: config.TRUSTED_PROXIES,
      connectionLimits: { total: config.MAX_STREAMS, perCaller: config.MAX_STREAMS_PER_CALLER },
      onBroken: protocol => metrics.brokenClients.inc({ protocol }),
      onUnreadClosed: () => metrics.unreadConnections.inc(),
      heartbeatMs: config.STREAM_HEARTBEAT_SECONDS * 1_000,
      observeConnections: route => streamMetrics(metrics, route),
      onHandled: ({ route, method, status, seconds }) =>
        metrics.httpSeconds.observe({ route, method, status: String(status) }, seconds),
      routers: [...pages, ...components.flatMap(({ routers = [] }) => routers)],
    },
  );
}
