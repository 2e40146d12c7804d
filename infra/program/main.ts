import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { NETWORKS_FOLDER, warnOfOpenDataDir } from '../config/data-dir';
import type { Config } from '../config/settings';
import { claimDataDir } from '../engines/data-dir-claim';
import { isNewDataDir } from '../engines/data-dir-files';
import { isDistributed, type openEngines } from '../engines/engines';
import { CleanupStack } from './cleanup-stack';
import { ownHosts } from './feature-set';
import type { CheckHealth } from './health/health';
import { operatorsAddress, serveOperators } from './operators';
import { findNetworks, runNetworks, type Networks } from './sources/networks';
import { createProgram, type Program } from './program';
import { FEATURES, ROLES } from './features';
import { publishRunning } from './running-file';
import { serve } from './serve';

export interface Running {
  /** Where the API answers. */
  readonly url: string;
  /** Where operators see metrics, and what is wrong. */
  readonly operatorsUrl: string;
  readonly checkHealth: CheckHealth;
  /** Drains: finishes open requests and jobs, then closes the engines. */
  stop(): Promise<void>;
  /** Rejects with an error that only an operator can fix. */
  readonly failed: Promise<never>;
}

type Urls = Pick<Running, 'url' | 'operatorsUrl'>;

/**
 * Runs the roles in this process, on the engines that the settings name.
 * @param open opens these
 * @throws WrongSettings, CannotOpen; what is already open is closed again
 */
export async function start(
  config: Config,
  logger: Logger,
  roles: readonly string[] = ROLES,
  open?: typeof openEngines,
): Promise<Running> {
  const cleanup = new CleanupStack();
  try {
    claimFolders(cleanup, config, logger, roles);
    const networks = startNetworks(cleanup, config, logger, roles);
    const program = await createProgram(
      { config, logger, roles, networks, features: FEATURES, ...(open && { open }) },
      cleanup,
    );
    const operatorsUrl = await serveForOperators(cleanup, config, program);
    await serveOwnHosts(cleanup, config, program);
    const url = await serve(cleanup, config, program, { port: config.PORT, setting: 'PORT', basePath: '' });
    if (!isDistributed(config)) publish(cleanup, config, { url, operatorsUrl });
    return running(cleanup, config, program, { url, operatorsUrl });
  } catch (error) {
    await cleanup.run().catch((err: unknown) => logger.error({ err }, 'resources not closed'));
    throw error;
  }
}

/** Two programs never write to one folder: that of the embedded engines, and that of the local networks. */
function claimFolders(cleanup: CleanupStack, config: Config, logger: Logger, roles: readonly string[]): void {
  const claim = (): (() => void) => {
    if (!isDistributed(config)) return claimOwnFolder(config, logger);
    if (roles.includes('networks')) return claimDataDir(join(config.DATA_DIR, NETWORKS_FOLDER));
    return () => undefined;
  };
  const release = claim();
  cleanup.defer(() => logger.info('stopped'));
  cleanup.defer(release);
  warnOfOpenDataDir(config.DATA_DIR, logger);
}

/** A mistyped DATA_DIR is the folder of something else, or an empty ledger, which is said. @throws CannotOpen */
function claimOwnFolder({ DATA_DIR }: Config, logger: Logger): () => void {
  const isNew = isNewDataDir(DATA_DIR);
  const release = claimDataDir(DATA_DIR);
  if (isNew) logger.info({ dataDir: resolve(DATA_DIR) }, 'new data folder: an empty ledger, and new keys');
  return release;
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
  const closing = starting.then(
    networks => networks.close,
    () => () => undefined,
  );
  cleanup.defer(async () => (await closing)());
  return starting;
}

/** @returns the URL */
async function serveForOperators(
  cleanup: CleanupStack,
  config: Config,
  { operatorsPages, drain, deps: { logger } }: Program,
): Promise<string> {
  const { url, close } = await serveOperators(operatorsPages, operatorsAddress(config));
  cleanup.defer(() => close(drain()));
  logger.info({ url }, 'metrics are served apart from the API');
  return url;
}

/** The paths of features that the settings give a port of their own. */
async function serveOwnHosts(cleanup: CleanupStack, config: Config, program: Program): Promise<void> {
  const { logger, features } = program.deps;
  for (const own of ownHosts(features, config, program.roles))
    logger.info(
      { url: await serve(cleanup, config, program, own), path: own.basePath },
      'path is served at a port too',
    );
}

/** Says in the data folder where the program answers. Several processes share the folder of distributed engines. */
function publish(cleanup: CleanupStack, { DATA_DIR }: Config, urls: Urls): void {
  const startedAt = new Date().toISOString();
  cleanup.defer(publishRunning(DATA_DIR, { pid: process.pid, ...urls, startedAt }));
}

function running(
  cleanup: CleanupStack,
  { DRAIN_SECONDS }: Config,
  { done, checkHealth, announceStop, deps: { logger } }: Program,
  urls: Urls,
): Running {
  // The caller listens to `failed` only after the start.
  done.catch(() => undefined);
  return {
    ...urls,
    checkHealth,
    failed: done.then(() => new Promise<never>(() => undefined)),
    async stop() {
      logger.info('stopping');
      announceStop();
      await sleep(DRAIN_SECONDS * 1_000);
      await cleanup.run().catch((err: unknown) => logger.error({ err }, 'not stopped cleanly'));
    },
  };
}
