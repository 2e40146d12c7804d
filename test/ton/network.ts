import type { Express, RequestHandler } from 'express';
import { pino } from 'pino';
import type { TonNetwork } from '../../contracts/network/network';
import type { PublicWeb } from '../../contracts/ports/public-web';
import type { StoredIndexerStatus } from '../../indexers/indexer';
import { TON_INDEXER_STATE } from '../../indexers/ton/indexer';
import { openSlowWay, type SlowWay } from '../../infra/devnet/latency';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import type { Engines } from '../../infra/engines/engines';
import { createTonClient } from '../../infra/engines/ton-client/ton-client';
import type { Feature, ProgramDeps } from '../../infra/program/feature';
import { history } from '../../infra/program/features/history';
import { nfts } from '../../infra/program/features/nfts';
import { rates } from '../../infra/program/features/rates';
import { solana } from '../../infra/program/features/solana';
import { tokens } from '../../infra/program/features/tokens';
import { ton } from '../../infra/program/features/ton';
import { tonConfig } from '../../infra/program/features/ton-config';
import { tonContracts } from '../../infra/program/features/ton-contracts';
import { watch } from '../../infra/program/features/watch';
import { watchOf } from '../../infra/program/features/watch/account-watch';
import { tonTransactions, type TonTransactions } from '../../projections/ton/transactions/queries';
import type { Views } from '../../projections/views';
import { watchTimes } from '../../services/watch/watch-times';
import { quietDevnet } from '../devnet/ton';
import { startTestProgram } from '../program';
import { until } from '../until';

export interface LocalNetwork {
  readonly devnet: TonDevnet;
  readonly transactions: TonTransactions;
  readonly app: Express;
  /** Pages that only operators reach. */
  readonly operatorsPages: readonly RequestHandler[];
  readonly deps: ProgramDeps;
  readonly engines: Engines;
  readonly views: Views;
  watch(address: string): Promise<number>;
  /** Of the indexer, as it stores it. */
  status(): Promise<StoredIndexerStatus>;
  /** No node answers any more: of a network that is far away. */
  disconnect(): Promise<void>;
  close(): Promise<void>;
}

/** Raw. */
export const STAKING_POOL = `0:${'9'.repeat(64)}`;
export const WATCH_TIMES = watchTimes(30);
/** As clients reach the program through a proxy. */
export const PUBLIC_URL = 'https://api.example';

export interface LocalNetworkOptions {
  /** Further ones, and settings of theirs. */
  readonly features?: readonly Feature[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly clock?: () => Date;
  /** Where documents of tokens are read; default: nothing can be read. */
  readonly web?: PublicWeb;
  /** The URL that contracts are read from, given that of the network; default: the same. */
  readonly nodeOf?: (url: string) => string | Promise<string>;
  /** Milliseconds that each call of the network takes longer; default 0. */
  readonly latencyMs?: number;
  /** How long reads of lists wait for the network, in milliseconds; default 60,000. */
  readonly listWaitMs?: number;
  /** Whose messages are believed to be those of staking pools; raw. */
  readonly pools?: readonly string[];
}

/** The other networks: they are served, and no node of theirs answers. */
const UNREACHABLE = {
  TON_RPC_URL_MAINNET: 'http://127.0.0.1:9',
  TON_RPC_URL_TESTNET: 'http://127.0.0.1:9',
  SOLANA_RPC_URL_MAINNET: 'http://127.0.0.1:9',
  SOLANA_RPC_URL_DEVNET: 'http://127.0.0.1:9',
};

const logger = pino({ level: 'silent' });

/** A local network with a program that serves it alone, on the embedded engines in a fresh folder. */
export async function startLocalNetwork(
  network: TonNetwork,
  options: LocalNetworkOptions = {},
): Promise<LocalNetwork> {
  const {
    nodeOf = url => url,
    latencyMs = 0,
    listWaitMs = 60_000,
    pools = [STAKING_POOL],
    features = [],
  } = options;
  const devnet = await quietDevnet({ network });
  const way: SlowWay | null = latencyMs === 0 ? null : await openSlowWay(devnet.url, latencyMs);
  const url = way?.url ?? devnet.url;
  const stopped = new AbortController();
  const client = createTonClient({
    urls: [await nodeOf(url)],
    logger,
    backoffMs: 5,
    signal: stopped.signal,
  });
  const name = network === 'mainnet' ? 'MAINNET' : 'TESTNET';
  const program = await startTestProgram({
    features: [watch, ton, tonContracts, tonConfig, tokens, nfts, rates, solana, history, ...features],
    settings: {
      ...UNREACHABLE,
      [`TON_RPC_URL_${name}`]: url,
      [`STAKING_POOLS_${name}`]: pools.join(','),
      PUBLIC_URL,
      EXTRA_CURRENCIES: JSON.stringify({ testnet: { '100': { symbol: 'LOCALX', decimals: 8 } } }),
      ...options.settings,
    },
    clients: { ton: () => client, ...(options.web && { web: options.web }) },
    readWait: { listWaitMs },
    ...(options.clock && { clock: options.clock }),
  });
  const { engines, engine } = program.deps;
  const watchAccount = watchOf(program.deps);
  const statuses = () => TON_INDEXER_STATE.status(engines.documents);
  await until(async () => (await statuses()).length > 0);
  return {
    devnet,
    app: program.app,
    operatorsPages: program.operatorsPages,
    deps: program.deps,
    engines,
    views: engine.views,
    transactions: tonTransactions(engine.views),
    watch: address => watchAccount({ chain: 'ton', network, address }),
    status: async () => (await statuses())[0]!,
    disconnect: async () => way?.close(),
    async close() {
      await program.stop();
      stopped.abort();
      await way?.close();
      await devnet.close();
    },
  };
}
