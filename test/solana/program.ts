import type { Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import type { Clients } from '../../contracts/observation/observation';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import type { Indexer } from '../../indexers/indexer';
import { createSolanaIndexer } from '../../indexers/solana/indexer';
import type { BackfillOptions } from '../../indexers/solana/backfill/backfill';
import { olderHistoryJob, workSolanaBackfills } from '../../indexers/solana/backfill/worker';
import { solanaDecoder } from '../../indexers/solana/decode/decode';
import { solanaAccountObservation } from '../../indexers/solana/observations/account';
import {
  solanaSignatureObservation,
  unreadSolanaSignature,
} from '../../indexers/solana/observations/signature';
import { solanaTokensObservation } from '../../indexers/solana/observations/tokens';
import { createUnrecordedReader } from '../../indexers/observations/unrecorded-reader';
import { createSourceLimits } from '../../indexers/observations/source-limits';
import { workObservations } from '../../indexers/observations/worker';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import type { Engines } from '../../infra/engines/engines';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';
import { openSqliteLog } from '../../infra/engines/log/sqlite/sqlite-log';
import { createProjectionEngine } from '../../projections/engine/engine';
import { observationProjection } from '../../projections/observations/projection';
import { solanaTransactionsProjection } from '../../projections/solana/transactions/projection';
import { solanaPageSources } from '../../projections/solana/transactions/queries';
import type { TonTransactions } from '../../projections/ton/transactions/queries';
import type { Views } from '../../projections/views';
import { createApp, type AppOptions } from '../../services/http/app';
import { createAppServer } from '../../services/http/server';
import { createObservedReader } from '../../services/observations/reader';
import { historyRoutes } from '../../services/history/routes';
import { accountStream } from '../../services/solana/account-stream';
import type { SolanaReadDeps } from '../../services/solana/deps';
import { solanaRoutes } from '../../services/solana/routes';
import { createUnreadSignatures } from '../../services/solana/unread-signatures';
import { readMentions } from '../../services/solana/transactions';
import { createWatch } from '../../services/watch/commands';
import { watchTimes } from '../../services/watch/watch-times';
import { noExchange } from '../doubles/no-exchange';
import { NO_WEB } from '../doubles/public-web';
import type { LocalNetwork } from './local-network';

/** A double: the TON side of the history over both chains is empty. */
const noTonTransactions: TonTransactions = {
  page: async () => ({ transactions: [], isFull: true, hasMore: false }),
  withLts: async () => [],
  status: async () => null,
  account: async () => ({ newest: null, knownSince: () => 0n }),
  sources: () => [],
  waitForChange: async () => undefined,
};

/** All of Solana on the embedded engines: indexer, observations, projections and HTTP. */
export interface Program {
  readonly folder: string;
  readonly indexer: Indexer;
  readonly engines: Pick<Engines, 'store' | 'log' | 'documents' | 'jobs'>;
  readonly views: Views;
  readonly reads: SolanaReadDeps;
  post(path: string, body: object): Promise<request.Response>;
  /** Serves the API, WebSockets included, until the program stops. @returns its URL, beginning with `ws:` */
  listen(): Promise<string>;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly http?: Partial<AppOptions>;
  readonly backfill?: BackfillOptions;
  /** By which watches expire; default: the real one. */
  readonly clock?: () => Date;
  /** Of another program, which does everything but to serve the API. */
  readonly folder?: string;
  /** Default 2,000. */
  readonly listWaitMs?: number;
}

export function startProgram(
  { source, client, logger }: LocalNetwork,
  {
    http = {},
    backfill = {},
    clock: watchClock = () => new Date(),
    folder: shared,
    listWaitMs = 2_000,
  }: ProgramOptions = {},
): Program {
  const folder = shared ?? mkdtempSync(join(tmpdir(), 'tidemark-program-'));
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const log = openSqliteLog({ path: join(folder, 'log.sqlite') });
  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  const jobs = openSqliteJobs({ path: join(folder, 'jobs.sqlite') });
  const stop = new AbortController();
  const { signal } = stop;
  const clock = () => new Date();
  const now = () => Date.now();

  const observations = [solanaAccountObservation, solanaTokensObservation, solanaSignatureObservation];
  const projections = [
    solanaTransactionsProjection(solanaDecoder),
    ...observations.map(observationProjection),
  ];
  const engine = createProjectionEngine({ projections, documents, store, log, clock, logger, signal });
  const clients: Clients = {
    ton: () => {
      throw new Error('no TON network');
    },
    solana: () => client,
    exchange: noExchange,
    web: NO_WEB,
  };
  const engines = { store, log, documents, jobs };
  const metrics = { published: () => undefined, deadLettered: () => undefined };
  const indexer = createSolanaIndexer({
    network: 'mainnet',
    source,
    log,
    store,
    documents,
    jobs,
    logger,
    metrics,
    scope: 'watched',
  });
  const running =
    shared !== undefined
      ? []
      : [
          indexer.run(signal),
          workSolanaBackfills(
            { network: 'mainnet', source, ...engines, logger, metrics, pollMs: 20, ...backfill },
            signal,
          ),
          workObservations({ jobs, log, observations, clients, logger, now }, signal),
          engine.run(signal),
        ];
  const reading = { views: engine.views, jobs, logger, now, waitMs: 2_000 };
  const reads: SolanaReadDeps = {
    views: engine.views,
    watch: createWatch({ store, clock: watchClock, ...watchTimes(30) }),
    readOlder: (network, account, part) => jobs.add(olderHistoryJob(network, account, part)),
    accounts: createObservedReader(solanaAccountObservation, reading),
    tokens: createObservedReader(solanaTokensObservation, reading),
    signatures: createObservedReader(solanaSignatureObservation, reading),
    unread: createUnreadSignatures({
      limits: async () => NO_LIMITS,
      unrecorded: createUnrecordedReader(unreadSolanaSignature, {
        clients,
        limits: createSourceLimits(),
        logger,
        now,
      }),
    }),
    listWaitMs,
  };
  const history = historyRoutes({
    cached: engine.views.cached,
    transactions: noTonTransactions,
    traces: { places: async () => [], source: () => ({ collection: 'none' }) },
    solana: {
      page: (network, accounts, page, reading) => readMentions(reads, network, accounts, page, reading),
      sources: solanaPageSources,
    },
    watch: reads.watch,
    logger,
    listWaitMs,
  });
  const app = createApp([...solanaRoutes(reads), ...history, accountStream({ ...reads, logger })], {
    logger,
    trustedProxies: 0,
    checkResponses: true,
    stopping: signal,
    ...http,
  });
  const servers: Server[] = [];

  return {
    folder,
    indexer,
    engines: { store, log, documents, jobs },
    views: engine.views,
    reads,
    post: (path, body) => request(app).post(path).send(body),
    async listen() {
      const server = createAppServer(app).listen(0, '127.0.0.1');
      servers.push(server);
      await once(server, 'listening');
      return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    async stop() {
      stop.abort();
      await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
      await Promise.allSettled(running);
      await Promise.all([store.close(), log.close(), documents.close(), jobs.close()]);
      if (shared === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
