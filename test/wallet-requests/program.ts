import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { internal, toNano } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { pino } from 'pino';
import type { Clients } from '../../contracts/observation/observation';
import { NO_LIMITS, type RateLimits } from '../../contracts/ports/rate-limits';
import { createUnrecordedReader } from '../../indexers/observations/unrecorded-reader';
import { createSourceLimits } from '../../indexers/observations/source-limits';
import { workObservations } from '../../indexers/observations/worker';
import { tonContractObservation, unreadTonContract } from '../../indexers/ton/observations/contract';
import { startTonDevnet } from '../../infra/devnet/ton/devnet';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';
import { openSqliteLog } from '../../infra/engines/log/sqlite/sqlite-log';
import { createTonClient } from '../../infra/engines/ton-client/ton-client';
import { createProjectionEngine } from '../../projections/engine/engine';
import { observationProjection } from '../../projections/observations/projection';
import { walletRequestsProjection } from '../../projections/wallet-requests/wallet-requests';
import { openSubjectKeys, type SubjectKeys } from '../../services/erasure/keys';
import { createPersonalTexts } from '../../services/erasure/personal-texts';
import { createHandle } from '../../services/handle';
import { createApp } from '../../services/http/app';
import { createAppServer } from '../../services/http/server';
import { createObservedReader } from '../../services/observations/reader';
import { createContractReader } from '../../services/read-ton-contract';
import { createWalletKeys } from '../../services/wallet-key';
import { keepExpiringRequests } from '../../services/wallet-requests/expire';
import { walletRequestRoutes } from '../../services/wallet-requests/routes';
import { NO_WEB } from '../doubles/public-web';

const logger = pino({ level: 'silent' });
const NETWORK = 'testnet';
const MASTER_KEY = Buffer.alloc(32, 3);
/** A client that is slow on a busy machine is not cut. */
const HEARTBEAT_MS = 60_000;

/** A local network with two wallets that are deployed and one that is not, and the folder of programs that read it. */
export interface WalletNetwork {
  readonly folder: string;
  readonly url: string;
  readonly alice: LocalWallet;
  readonly bob: LocalWallet;
  readonly undeployed: LocalWallet;
  /** Deploys a wallet. */
  deploy(wallet: LocalWallet): Promise<void>;
  close(): Promise<void>;
}

export async function startWalletNetwork(): Promise<WalletNetwork> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-wallet-requests-'));
  const devnet = await startTonDevnet({
    network: NETWORK,
    dataDir: join(folder, 'chain'),
    host: '127.0.0.1',
    blockIntervalMs: 60_000,
    logger,
  });
  const client = new TonClient4({ endpoint: devnet.url, timeout: 60_000 });
  const deploy = async (wallet: LocalWallet): Promise<void> => {
    const { address } = wallet.contract;
    await devnet.faucet(address.toRawString(), toNano(10));
    await transfer(client, wallet, [internal({ to: address, value: 1n, bounce: false })]);
  };
  const [alice, bob, undeployed] = [
    localWallet('requestor', 'v5r1', NETWORK),
    localWallet('confirmant', 'v4r2', NETWORK),
    localWallet('undeployed', 'v5r1', NETWORK),
  ] as const;
  for (const wallet of [alice, bob]) await deploy(wallet);
  return {
    folder,
    url: devnet.url,
    alice,
    bob,
    undeployed,
    deploy,
    async close() {
      await devnet.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The HTTP face of wallet requests, and all that works behind it, unless another program does. */
export interface RequestProgram {
  readonly url: string;
  readonly keys: SubjectKeys;
  /** Of the clock of the program. */
  advance(ms: number): void;
  stop(): Promise<void>;
}

interface ProgramOptions {
  /** False: only the HTTP face; another program of the folder does the rest. */
  readonly works?: boolean;
  readonly limits?: RateLimits;
  readonly heartbeatMs?: number;
}

export async function startRequestProgram(
  network: WalletNetwork,
  { works = true, limits = NO_LIMITS, heartbeatMs = HEARTBEAT_MS }: ProgramOptions = {},
): Promise<RequestProgram> {
  const { folder, url } = network;
  const stop = new AbortController();
  const { signal } = stop;
  let aheadMs = 0;
  const clock = () => new Date(Date.now() + aheadMs);
  const now = () => clock().getTime();
  const path = (name: string) => ({ path: join(folder, `${name}.sqlite`) });
  const store = openSqliteEventStore(path('events'));
  const log = openSqliteLog(path('log'));
  const documents = openSqliteDocuments(path('documents'));
  const jobs = openSqliteJobs(path('jobs'));
  const client = createTonClient({ urls: [url], logger, backoffMs: 5, signal });
  const clients = { ton: () => client, web: NO_WEB } as unknown as Clients;
  const engine = createProjectionEngine({
    projections: [walletRequestsProjection, observationProjection(tonContractObservation)],
    documents,
    store,
    log,
    clock,
    logger,
    signal,
  });
  const { views } = engine;
  const handle = createHandle({ store });
  const keys = await openSubjectKeys(documents, MASTER_KEY);
  const sourceLimits = createSourceLimits();
  const observations = [tonContractObservation];
  const running: Promise<unknown>[] = works
    ? [
        engine.run(signal),
        workObservations({ observations, clients, jobs, log, logger, limits: sourceLimits, now }, signal),
        keepExpiringRequests({ views, handle, clock }, signal),
      ]
    : [];
  const read = createContractReader({
    views,
    contracts: createObservedReader(tonContractObservation, { views, jobs, logger, now }),
    unrecorded: createUnrecordedReader(unreadTonContract, {
      clients,
      limits: sourceLimits,
      logger,
      now,
      waitMs: 60_000,
    }),
    limits: async () => limits,
    maxStored: 0,
    now,
  });
  const app = createApp(
    walletRequestRoutes({
      views,
      handle,
      texts: createPersonalTexts(keys),
      findKey: createWalletKeys(read),
      clock,
      logger,
      waitMs: 60_000,
    }),
    {
      checkResponses: true,
      logger,
      trustedProxies: 0,
      stopping: signal,
      heartbeatMs,
      limits,
    },
  );
  const server = createAppServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    advance: ms => void (aheadMs += ms),
    async stop() {
      stop.abort();
      await new Promise(resolve => server.close(resolve));
      await Promise.allSettled(running);
      await Promise.all([store.close(), log.close(), documents.close(), jobs.close()]);
    },
  };
}
