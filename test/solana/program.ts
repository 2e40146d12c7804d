import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { runSolanaIndexer, type SolanaIndexer } from '../../indexers/solana/indexer';
import { workSolanaBackfills } from '../../indexers/solana/backfill/worker';
import { solanaDecoder } from '../../indexers/solana/decode/decode';
import { SOLANA_OBSERVED, solanaObservers } from '../../indexers/solana/observers/observers';
import { observationRequests, workObservations } from '../../indexers/observe';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import type { Engines } from '../../infra/engines/engines';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';
import { openSqliteLog } from '../../infra/engines/log/sqlite/sqlite-log';
import { createProjectionEngine } from '../../projections/engine/engine';
import { solanaAccountsProjection } from '../../projections/solana/accounts';
import { solanaSignaturesProjection } from '../../projections/solana/signatures';
import { solanaTokensProjection } from '../../projections/solana/tokens';
import { solanaTransactionsProjection } from '../../projections/solana/transactions/projection';
import type { Views } from '../../projections/views';
import { createApp } from '../../services/http/app';
import { solanaRoutes } from '../../services/solana/routes';
import { createWatch } from '../../services/watch/commands';
import type { LocalNetwork } from './local-network';

/** All of Solana on the embedded engines: indexer, observations, projections and HTTP. */
export interface Program {
  readonly indexer: SolanaIndexer;
  readonly engines: Pick<Engines, 'store' | 'log' | 'documents' | 'jobs'>;
  readonly views: Views;
  post(path: string, body: object): Promise<request.Response>;
  stop(): Promise<void>;
}

export function startProgram({ source, endpoints, logger }: LocalNetwork): Program {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-program-'));
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const log = openSqliteLog({ path: join(folder, 'log.sqlite') });
  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  const jobs = openSqliteJobs({ path: join(folder, 'jobs.sqlite') });
  const stop = new AbortController();
  const { signal } = stop;
  const clock = () => new Date();
  const now = () => Date.now();

  const projections = [
    solanaTransactionsProjection(solanaDecoder),
    solanaAccountsProjection,
    solanaTokensProjection,
    solanaSignaturesProjection,
  ];
  const engine = createProjectionEngine({ projections, documents, store, log, clock, logger, signal });
  const observers = solanaObservers(() => endpoints);
  const indexer = runSolanaIndexer({
    network: 'mainnet',
    source,
    log,
    store,
    documents,
    jobs,
    logger,
    scope: 'watched',
    signal,
  });
  const running = [
    indexer.done,
    workSolanaBackfills({
      network: 'mainnet',
      source,
      log,
      documents,
      jobs,
      logger,
      hooks: {},
      settling: 20,
      signal,
    }),
    workObservations({ jobs, log, observers, logger, now, signal }),
    engine.run(signal),
  ];
  const routes = solanaRoutes({
    views: engine.views,
    watch: createWatch({ store, clock }),
    request: observationRequests(jobs, SOLANA_OBSERVED),
    now,
    patience: 2_000,
  });
  const app = createApp(routes, {
    logger,
    trustedProxies: 0,
    checkResponses: true,
    authenticate: () => Promise.reject(new Error('nobody signs in here')),
  });

  return {
    indexer,
    engines: { store, log, documents, jobs },
    views: engine.views,
    post: (path, body) => request(app).post(path).send(body),
    async stop() {
      stop.abort();
      await Promise.allSettled(running);
      await Promise.all([store.close(), log.close(), documents.close(), jobs.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
