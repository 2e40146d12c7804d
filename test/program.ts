import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express, RequestHandler } from 'express';
import { pino, type Logger } from 'pino';
import type { Clients } from '../contracts/observation/observation';
import { quotaSetting } from '../infra/config/settings';
import type { openEngines } from '../infra/engines/engines';
import { CleanupStack } from '../infra/program/cleanup-stack';
import type { Feature, FeatureSet, ProgramDeps } from '../infra/program/feature';
import { featureSet } from '../infra/program/feature-set';
import { findNetworks } from '../infra/program/sources/networks';
import { createProgram } from '../infra/program/program';
import { readConfigOf } from '../infra/program/settings/read-config';
import type { ReadWait } from '../infra/program/requests/read-wait';
import { rolesOf } from '../infra/program/roles';
import { serve } from '../infra/program/serve';
import { isLogProjection } from '../projections/projection';
import { noExchange } from './doubles/no-exchange';
import { NO_WEB } from './doubles/public-web';
import { NETWORKS_OFF } from './local-networks';

export interface TestProgramOptions {
  /** The functional groups of the program. */
  readonly features: readonly Feature[];
  /** Groups whose observations and projections these read; their endpoints, which may need further groups, are not served. */
  readonly beside?: readonly Feature[];
  /** Default: all that these features have, without the local networks. */
  readonly roles?: readonly string[];
  /** Beside those of a test: every network is off, nothing is limited, and answers are checked. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: a new one, which is deleted at the end. */
  readonly folder?: string;
  readonly clock?: () => Date;
  /** Default: embedded engines. */
  readonly open?: typeof openEngines;
  /** Default: nothing is logged. */
  readonly logger?: Logger;
  /** Default: there is no partner, and nothing of the web can be read. */
  readonly clients?: Partial<Clients>;
  /** Default: a minute. */
  readonly readWait?: Partial<ReadWait>;
}

/** The program, as it runs. */
export interface TestProgram {
  readonly app: Express;
  /** Those that only operators reach. */
  readonly operatorsPages: readonly RequestHandler[];
  readonly deps: ProgramDeps;
  readonly folder: string;
  /** Serves the API, WebSockets included, until the program stops. @returns its URL */
  listen(): Promise<string>;
  /** Resolves once reads include all events so far. */
  projected(): Promise<void>;
  /** Ends event streams, WebSockets and reads that wait, as a program that stops. */
  drain(): void;
  /** @throws what its workers have failed with */
  stop(): Promise<void>;
}

/** Each wait of a feature is a minute: a busy machine decides no result. */
function longWaits({ all }: FeatureSet): Record<string, string> {
  const names = all.flatMap(({ settings = {} }) => Object.keys(settings));
  return Object.fromEntries(names.filter(name => name.endsWith('_WAIT_MS')).map(name => [name, '60000']));
}

/** Starts the program with some of its features, on the embedded engines. */
export async function startTestProgram(options: TestProgramOptions): Promise<TestProgram> {
  const { roles, settings, folder, clock, open, clients, readWait } = options;
  const { logger = pino({ level: 'silent' }) } = options;
  const beside = (options.beside ?? []).map(({ routes: _, ...feature }) => feature);
  const features = featureSet([...options.features, ...beside]);
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'tidemark-program-'));
  const config = readConfigOf(features, {
    ...NETWORKS_OFF,
    ...Object.fromEntries(features.quotas.map(quota => [quotaSetting(quota), '0'])),
    ...longWaits(features),
    DATA_DIR: dataDir,
    CHECK_RESPONSES: 'true',
    INDEXER_POLL_MS: '50',
    LOG_FORMAT: 'json',
    ...settings,
  });
  const cleanup = new CleanupStack();
  if (folder === undefined) cleanup.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const program = await createProgram(
    {
      config,
      features,
      roles: roles ?? rolesOf(features).filter(role => role !== 'networks'),
      networks: findNetworks(config),
      logger,
      clients: { exchange: noExchange, web: NO_WEB, ...clients },
      readWait: {
        waitMs: 60_000,
        listWaitMs: 60_000,
        ...readWait,
      },
      ...(clock && { clock }),
      ...(open && { open }),
    },
    cleanup,
  );
  const {
    features: { projections },
    engine,
    engines,
  } = program.deps;
  const failure = program.done.then(
    () => null,
    (error: Error) => error,
  );
  return {
    ...program,
    folder: dataDir,
    async projected() {
      const head = await engines.store.head();
      for (const { collections } of projections.filter(each => !isLogProjection(each)))
        for (const { name } of collections)
          if (!(await engine.views.waitForPosition(name, head, 60_000)))
            throw new Error(`${name} is still behind event ${head}`);
    },
    listen: () => serve(cleanup, config, program, { port: 0, setting: 'PORT', basePath: '' }),
    async stop() {
      program.drain();
      await cleanup.run();
      const error = await failure;
      if (error) throw error;
    },
  };
}
