import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import { pino, type Logger } from 'pino';
import type { Clients, Observation, ObservedReader } from '../../contracts/observation/observation';
import type { TonNetwork } from '../../contracts/network/network';
import type { Log } from '../../contracts/ports/log';
import type { PublicWeb } from '../../contracts/ports/public-web';
import type { TonClient } from '../../contracts/ports/ton-client';
import { workObservations } from '../../indexers/observations/worker';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';
import { openSqliteLog } from '../../infra/engines/log/sqlite/sqlite-log';
import { createProjectionEngine } from '../../projections/engine/engine';
import { observationProjection } from '../../projections/observations/projection';
import type { LogProjection } from '../../projections/projection';
import type { Views } from '../../projections/views';
import { createApp } from '../../services/http/app';
import type { Binding } from '../../services/http/binding';
import { createObservedReader } from '../../services/observations/reader';
import { noExchange } from '../doubles/no-exchange';
import { NO_WEB } from '../doubles/public-web';

/** Gives the reader of an observation. */
export type Observed = <Subject, Data>(
  observation: Observation<Subject, Data>,
) => ObservedReader<Subject, Data>;

export interface ObservingProgram {
  readonly app: Express;
  readonly observed: Observed;
  close(): Promise<void>;
}

interface ObservingOptions {
  readonly observations: readonly Observation[];
  /** Default: there is none. */
  readonly client?: (network: TonNetwork) => TonClient;
  /** Default: there is none. */
  readonly exchange?: Clients['exchange'];
  /** Default: nothing of it can be read. */
  readonly web?: PublicWeb;
  /** What runs beside the observations, with its projections. */
  readonly beside?: {
    readonly projections: readonly LogProjection[];
    run(parts: { readonly log: Log; readonly logger: Logger }, signal: AbortSignal): Promise<void>;
  };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds that a read waits for a reading. */
  readonly waitMs: number;
}

/** Observations with their worker, projections and endpoints, on the embedded engines in a fresh folder. */
export function startObserving(
  {
    observations,
    client = noTon,
    exchange = noExchange,
    web = NO_WEB,
    beside,
    now,
    waitMs,
  }: ObservingOptions,
  routes: (observed: Observed, views: Views) => Binding[],
): ObservingProgram {
  const logger = pino({ level: 'silent' });
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-observing-'));
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const log = openSqliteLog({ path: join(folder, 'log.sqlite') });
  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  const jobs = openSqliteJobs({ path: join(folder, 'jobs.sqlite') });
  const stop = new AbortController();
  const { signal } = stop;
  const projections = [...observations.map(observationProjection), ...(beside?.projections ?? [])];
  const clock = () => new Date();
  const engine = createProjectionEngine({ projections, documents, store, log, clock, logger, signal });
  const clients = {
    ton: client,
    solana: () => {
      throw new Error('no Solana network');
    },
    exchange,
    web,
  };
  const running = [
    workObservations({ jobs, log, observations, clients, logger, now }, signal),
    engine.run(signal),
    ...(beside ? [beside.run({ log, logger }, signal)] : []),
  ];
  const observed: Observed = observation =>
    createObservedReader(observation, { views: engine.views, jobs, logger, now, waitMs });
  return {
    app: createApp(routes(observed, engine.views), { logger, trustedProxies: 0, checkResponses: true }),
    observed,
    async close() {
      stop.abort();
      await Promise.allSettled(running);
      await Promise.all([store.close(), log.close(), documents.close(), jobs.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function noTon(): never {
  throw new Error('no TON network');
}
