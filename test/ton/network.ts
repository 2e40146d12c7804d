import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express } from 'express';
import { pino } from 'pino';
import { PRICES_TOPIC } from '../../contracts/chain/prices';
import type { TonNetwork } from '../../contracts/network/network';
import type { Clients, Observation } from '../../contracts/observation/observation';
import type { PublicWeb } from '../../contracts/ports/public-web';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import { openSlowWay } from '../../infra/devnet/latency';
import { startTonDevnet, type TonDevnet } from '../../infra/devnet/ton/devnet';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import type { Engines } from '../../infra/engines/engines';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';
import { openSqliteLog } from '../../infra/engines/log/sqlite/sqlite-log';
import { createTonClient } from '../../infra/engines/ton-client/ton-client';
import { createReadThrough } from '../../indexers/observations/read-through';
import { createSourceLimits } from '../../indexers/observations/source-limits';
import { workObservations } from '../../indexers/observations/worker';
import { tonBackfillReaction, workTonBackfills } from '../../indexers/ton/backfill/worker';
import { tonDecoder } from '../../indexers/ton/decode/decode';
import type { Indexer } from '../../indexers/indexer';
import { createTonIndexer } from '../../indexers/ton/indexer';
import { createContractVerifier } from '../../indexers/ton/verify-contracts';
import { tonNetworkConfigObservation } from '../../indexers/ton/observations/network-config';
import { tonContractObservation, unreadTonContract } from '../../indexers/ton/observations/contract';
import { customPayloadObservation } from '../../indexers/ton/observations/custom-payload';
import { nftCollectionObservation, nftObservation } from '../../indexers/ton/observations/nft';
import { extraCurrenciesObservation } from '../../indexers/ton/observations/extra-currencies';
import { jettonMasterObservation } from '../../indexers/ton/observations/jetton-master';
import {
  jettonBalanceObservation,
  jettonWalletAddressRead,
  jettonWalletObservation,
} from '../../indexers/ton/observations/jetton-wallet';
import { ownedJettonObservation, unreadOwnedJetton } from '../../indexers/ton/observations/owned-jetton';
import { jettonPoolObservation } from '../../indexers/ton/observations/pool';
import { tokenImage } from '../../indexers/ton/observations/token-image';
import { gatewayUrl, tokenDocumentObservation } from '../../indexers/ton/observations/token-document';
import { createV4Source } from '../../indexers/ton/v4-source/v4-source';
import { createProjectionEngine } from '../../projections/engine/engine';
import { observationProjection } from '../../projections/observations/projection';
import { pricesProjection } from '../../projections/rates/prices';
import { addressWarningsProjection } from '../../projections/ton-config/address-warnings';
import { tonJettonsProjection } from '../../projections/ton/jettons/projection';
import { tonNftsProjection } from '../../projections/ton/nfts/projection';
import { tokenVerificationsProjection } from '../../projections/tokens/verifications';
import { tonHashSource, tonMessagesProjection, tonTransactionByHash } from '../../projections/ton/messages';
import { tonTracesProjection } from '../../projections/ton/traces/projection';
import { tonTraces } from '../../projections/ton/traces/queries';
import { tonTransactionsProjection } from '../../projections/ton/transactions/projection';
import { tonTransactions, type TonTransactions } from '../../projections/ton/transactions/queries';
import type { Views } from '../../projections/views';
import { historyRoutes } from '../../services/history/routes';
import type { SolanaHistory } from '../../services/history/solana';
import { createApp } from '../../services/http/app';
import { createObservedReader } from '../../services/observations/reader';
import type { KnownCurrencies } from '../../services/tokens/known-currencies';
import { nftRoutes } from '../../services/nfts/routes';
import { createJettonPrices } from '../../services/rates/jetton-prices';
import { tokenRoutes } from '../../services/tokens/routes';
import { tonRoutes } from '../../services/ton/routes';
import { tonConfigRoutes } from '../../services/ton-config/routes';
import { createObserveShown } from '../../services/ton-contracts/observe-shown';
import { tonContractRoutes } from '../../services/ton-contracts/routes';
import { runReaction } from '../../services/reactions/event-reaction';
import { createWatch } from '../../services/watch/commands';
import { watchTimes } from '../../services/watch/watch-times';
import { noExchange } from '../doubles/no-exchange';
import { NO_WEB } from '../doubles/public-web';

export interface LocalNetwork {
  readonly devnet: TonDevnet;
  readonly indexer: Indexer;
  /** Settles when the indexer has ended. */
  readonly ended: Promise<void>;
  readonly transactions: TonTransactions;
  readonly app: Express;
  readonly engines: Pick<Engines, 'store' | 'log' | 'documents' | 'jobs'>;
  readonly views: Views;
  watch(address: string): Promise<number>;
  /** No node answers any more: of a network that is far away. */
  disconnect(): Promise<void>;
  close(): Promise<void>;
}

const logger = pino({ level: 'silent' });
/** Raw. */
export const STAKING_POOL = `0:${'9'.repeat(64)}`;
/** What the program observes of TON. */
const OBSERVATIONS: readonly Observation[] = [
  tonContractObservation,
  tonNetworkConfigObservation,
  jettonMasterObservation,
  jettonWalletObservation,
  jettonBalanceObservation,
  tokenDocumentObservation,
  extraCurrenciesObservation,
  customPayloadObservation,
  jettonPoolObservation,
  ownedJettonObservation,
  nftObservation,
  nftCollectionObservation,
] as readonly Observation[];
export const WATCH_TIMES = watchTimes(30);
const noSolanaHistory: SolanaHistory = {
  page: async () => [],
  sources: () => [],
};

/** What the instance of these tests knows. */
/** As clients reach the program through a proxy. */
export const PUBLIC_URL = 'https://api.example';
const EXTRA_CURRENCIES: KnownCurrencies = { testnet: { '100': { symbol: 'LOCALX', decimals: 8 } } };

/** How far away the network is, and how long reads of lists wait for it. */
export interface Slowness {
  /** Milliseconds that each call takes longer; default 0. */
  readonly latencyMs?: number;
  /** Milliseconds; default 60,000. */
  readonly listWaitMs?: number;
}

/**
 * A local network with its indexer, projections and endpoints, all on the embedded engines in a fresh folder.
 * @param nodeOf the URL that contracts are read from, given that of the network
 * @param pools whose messages are believed to be those of staking pools
 */
export async function startLocalNetwork(
  network: TonNetwork,
  solana: SolanaHistory = noSolanaHistory,
  clock = () => new Date(),
  web: PublicWeb = NO_WEB,
  nodeOf: (url: string) => string | Promise<string> = url => url,
  { latencyMs = 0, listWaitMs = 60_000 }: Slowness = {},
  pools: readonly string[] = [STAKING_POOL],
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
  await log.declare([PRICES_TOPIC]);
  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  const jobs = openSqliteJobs({ path: join(folder, 'jobs.sqlite') });
  const metrics = { published: () => undefined, deadLettered: () => undefined };

  const stop = new AbortController();
  const { signal } = stop;
  const way = latencyMs === 0 ? null : await openSlowWay(devnet.url, latencyMs);
  const url = way?.url ?? devnet.url;
  const source = createV4Source({ endpoints: [url] });
  const client = createTonClient({ urls: [await nodeOf(url)], logger, backoffMs: 5, signal });
  const verify = createContractVerifier(client, network, pools);
  const clients: Clients = {
    ton: () => client,
    solana: () => {
      throw new Error('Solana is not part of this network');
    },
    exchange: noExchange,
    web,
  };
  const limits = createSourceLimits();
  const indexer = createTonIndexer({
    network,
    source,
    verify,
    log,
    documents,
    store,
    logger,
    metrics,
    scope: 'watched',
    pollMs: 50,
  });
  const engine = createProjectionEngine({
    projections: [
      tonTransactionsProjection(tonDecoder),
      tonMessagesProjection(tonDecoder),
      tonTracesProjection,
      addressWarningsProjection,
      tonJettonsProjection(tonDecoder),
      tokenVerificationsProjection,
      pricesProjection,
      tonNftsProjection(tonDecoder),
      ...OBSERVATIONS.map(observationProjection),
    ],
    documents,
    store,
    log,
    clock: () => new Date(),
    logger,
    signal,
  });

  const ended = indexer.run(signal);
  ended.catch(() => undefined);
  const running = [ended];
  while (indexer.status().indexedHeight === null) await sleep(5);
  running.push(
    engine.run(signal),
    runReaction({ store, documents, jobs, logger }, tonBackfillReaction, signal),
    workTonBackfills({ network, source, verify, store, log, documents, jobs, logger, metrics }, signal),
    workObservations(
      { observations: OBSERVATIONS, clients, jobs, log, logger, limits, now: () => clock().getTime() },
      signal,
    ),
  );
  const reading = { views: engine.views, jobs, logger, now: () => clock().getTime(), waitMs: 60_000 };
  const { cached } = engine.views;
  const transactions = tonTransactions(engine.views);
  const contracts = createObservedReader(tonContractObservation, reading);
  const observeShown = createObserveShown({ views: engine.views, contracts, maxStored: 0 });
  const watch = createWatch({ store, clock, ...WATCH_TIMES });
  return {
    devnet,
    indexer,
    ended,
    transactions,
    engines: { store, log, documents, jobs },
    views: engine.views,
    watch: address => watch({ chain: 'ton', network, address }),
    disconnect: async () => way?.close(),
    app: createApp(
      [
        ...historyRoutes({
          cached,
          transactions,
          traces: tonTraces(engine.views),
          watch,
          onShown: (network, addresses) => void observeShown(network, addresses),
          logger,
          solana,
          listWaitMs,
        }),
        ...tokenRoutes({
          views: engine.views,
          transactions,
          watch,
          masters: createObservedReader(jettonMasterObservation, reading),
          wallets: createObservedReader(jettonWalletObservation, reading),
          balances: createObservedReader(jettonBalanceObservation, reading),
          documents: createObservedReader(tokenDocumentObservation, reading),
          pools: createObservedReader(jettonPoolObservation, reading),
          payloads: createObservedReader(customPayloadObservation, reading),
          ownedJettons: createObservedReader(ownedJettonObservation, reading),
          readOwnedJetton: createReadThrough(unreadOwnedJetton, {
            clients,
            limits,
            logger,
            now: () => clock().getTime(),
            waitMs: 60_000,
          }),
          extraCurrencies: createObservedReader(extraCurrenciesObservation, reading),
          knownCurrencies: EXTRA_CURRENCIES,
          walletAddress: createReadThrough(jettonWalletAddressRead, {
            clients,
            limits,
            logger,
            now: Date.now,
            waitMs: 60_000,
          }),
          prices: createJettonPrices(engine.views, 'local', async () => undefined),
          tokenImage: createReadThrough(tokenImage, {
            clients,
            limits,
            logger,
            now: Date.now,
            waitMs: 60_000,
          }),
          gatewayUrl,
          publicUrl: PUBLIC_URL,
          limits: async () => NO_LIMITS,
          logger,
          clock,
          waitMs: 60_000,
          listWaitMs,
        }),
        ...nftRoutes({
          views: engine.views,
          watch,
          items: createObservedReader(nftObservation, reading),
          collections: createObservedReader(nftCollectionObservation, reading),
          documents: createObservedReader(tokenDocumentObservation, reading),
          gatewayUrl,
          publicUrl: PUBLIC_URL,
          logger,
          waitMs: 60_000,
          listWaitMs,
        }),
        ...tonRoutes({
          cached,
          transactionByHash: tonTransactionByHash(engine.views),
          hashSource: tonHashSource,
          transactions,
        }),
        ...tonConfigRoutes({
          views: engine.views,
          configs: createObservedReader(tonNetworkConfigObservation, reading),
        }),
        ...tonContractRoutes({
          views: engine.views,
          contracts,
          documents: createObservedReader(tokenDocumentObservation, reading),
          gatewayUrl,
          publicUrl: PUBLIC_URL,
          readThrough: createReadThrough(unreadTonContract, {
            clients,
            limits,
            logger,
            now: Date.now,
            waitMs: 60_000,
          }),
          limits: async () => NO_LIMITS,
          maxStored: 0,
          pools: { mainnet: [], testnet: [STAKING_POOL] },
          now: () => clock().getTime(),
        }),
      ],
      {
        checkResponses: true,
        logger,
        trustedProxies: 0,
      },
    ),
    async close() {
      stop.abort();
      await Promise.allSettled(running);
      await source.close();
      await Promise.all([store.close(), log.close(), documents.close(), jobs.close()]);
      await way?.close();
      await devnet.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
