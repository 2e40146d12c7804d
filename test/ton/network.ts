import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express } from 'express';
import { pino } from 'pino';
import type { TonNetwork } from '../../contracts/network';
import { BEGINNING } from '../../contracts/position';
import { startTonDevnet, type TonDevnet } from '../../infra/devnet/ton/devnet';
import { openSqliteDocuments } from '../../infra/documents/sqlite';
import { openSqliteEventStore } from '../../infra/event-store/sqlite';
import { openSqliteLog } from '../../infra/log/sqlite';
import { backfillTurn } from '../../indexers/ton/backfill';
import { BackfillTurn, tonBackfillReaction } from '../../indexers/ton/backfill-job';
import { tonDecoder } from '../../indexers/ton/decoder';
import { createTonIndexer, type TonIndexer } from '../../indexers/ton/indexer';
import { createV4Source } from '../../indexers/ton/source/v4';
import { createProjectionEngine } from '../../projections/engine/engine';
import { tonMessagesProjection, tonTransactionByHash } from '../../projections/ton-messages';
import { tonTransactionsProjection } from '../../projections/ton-transactions/projection';
import { tonTransactions, type TonTransactions } from '../../projections/ton-transactions/queries';
import { historyRoutes } from '../../services/history/routes';
import type { SolanaHistory } from '../../services/history/solana';
import { createApp } from '../../services/http/app';
import { tonRoutes } from '../../services/ton/routes';
import { createWatch } from '../../services/watch/commands';

export interface LocalNetwork {
  readonly devnet: TonDevnet;
  readonly indexer: TonIndexer;
  readonly transactions: TonTransactions;
  readonly app: Express;
  watch(address: string): Promise<void>;
  close(): Promise<void>;
}

const logger = pino({ level: 'silent' });
const nothingOnSolana: SolanaHistory = { page: async () => [] };

/** A local network with its indexer, projections and endpoints, all on the embedded engines in a fresh folder. */
export async function startLocalNetwork(
  network: TonNetwork,
  solana: SolanaHistory = nothingOnSolana,
): Promise<LocalNetwork> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-ton-'));
  const devnet = await startTonDevnet({
    network,
    dataDir: join(folder, 'chain'),
    host: '127.0.0.1',
    blockIntervalMs: 60_000,
    logger,
  });
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const log = openSqliteLog({ path: join(folder, 'log.sqlite') });
  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  const source = createV4Source({ endpoints: [devnet.url] });
  const metrics = { published: () => undefined, deadLetters: () => undefined };

  const stop = new AbortController();
  const { signal } = stop;
  const indexer = createTonIndexer({
    network,
    source,
    log,
    documents,
    store,
    logger,
    metrics,
    scope: 'watched',
    poll: 50,
  });
  const engine = createProjectionEngine({
    projections: [tonTransactionsProjection(tonDecoder), tonMessagesProjection(tonDecoder)],
    documents,
    store,
    log,
    clock: () => new Date(),
    logger,
    signal,
  });

  /** Stands in for the worker of the back-fill queue. */
  async function backfill(): Promise<void> {
    for await (const { events } of store.subscribe({ after: BEGINNING, categories: ['watch'], signal }))
      for (const { data } of events.flatMap(event => tonBackfillReaction.jobs(event)))
        while (!signal.aborted && !(await turn(BackfillTurn.parse(data).address)));
  }
  const turn = (address: string): Promise<boolean> =>
    backfillTurn({ network, source, log, documents, metrics }, address, signal).catch(() => sleep(20, false));

  const running = [indexer.run(signal)];
  while (indexer.status().frontier === null) await sleep(5);
  running.push(engine.run(signal), backfill());
  const transactions = tonTransactions(engine.views);
  const watch = createWatch({ store, clock: () => new Date() });
  return {
    devnet,
    indexer,
    transactions,
    watch: address => watch({ chain: 'ton', network, address }),
    app: createApp(
      [
        ...historyRoutes({ transactions, watch, logger, solana, patience: 10_000 }),
        ...tonRoutes({ transactionByHash: tonTransactionByHash(engine.views) }),
      ],
      {
        authenticate: async () => {
          throw new Error('nothing here asks for a token');
        },
        checkResponses: true,
        logger,
        trustedProxies: 0,
      },
    ),
    async close() {
      stop.abort();
      await Promise.allSettled(running);
      await source.close();
      await Promise.all([store.close(), log.close(), documents.close()]);
      await devnet.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
