import { join } from 'node:path';
import type { Logger } from 'pino';
import { LOCAL_APP_ORIGIN } from '../../contracts/chain/local-app';
import { LOCAL_MARKET_ORIGIN } from '../../contracts/chain/local-market';
import type { SolanaNetwork, TonNetwork } from '../../contracts/network';
import type { SolanaNodeUrls } from '../engines/solana-client/solana-client';
import { WrongSettings, type Config } from './settings';
import { openSlowWay, type SlowWay } from '../devnet/latency';
import { reachableHost } from '../devnet/reachable-host';
import { startSolanaDevnet, type SolanaDevnet } from '../devnet/solana/devnet';
import { openSolanaDevnetThread } from '../devnet/solana/devnet-thread';
import { startTonDevnet, type TonDevnet } from '../devnet/ton/devnet';
import { openTonDevnetThread } from '../devnet/ton/devnet-thread';
import {
  LOCAL_APP_PATH,
  LOCAL_MARKET_PATH,
  localTokenOrigin,
  TOKEN_DOCUMENTS_PATH,
} from '../devnet/ton/local-origin';

/** Where each chain is reached: the operator's nodes, or a local network that this program runs itself. */
export interface Networks {
  readonly ton: Readonly<Record<TonNetwork, readonly string[]>>;
  readonly solana: Readonly<Record<SolanaNetwork, readonly SolanaNodeUrls[]>>;
  readonly local: {
    readonly ton: ReadonlyMap<TonNetwork, TonDevnet>;
    readonly solana: ReadonlyMap<SolanaNetwork, SolanaDevnet>;
  };
  /**
   * Of local networks of TON: the origins of the market, the application and that tokens name, and the base URL to read each
   * from.
   */
  readonly localOrigins: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** Milliseconds from one block of a local network to the next while nothing happens there; what is sent has its block at once. */
const QUIET_MS = 10_000;

/** Starts a local network for each one that has no URL, each off this thread. @throws WrongSettings */
export async function runNetworks(config: Config, logger: Logger): Promise<Networks> {
  const dataDir = join(config.DATA_DIR, 'networks');
  const host = config.LOCAL_NETWORK_HOST;
  const port = (offset: number): number =>
    config.LOCAL_NETWORK_PORT === 0 ? 0 : config.LOCAL_NETWORK_PORT + offset;
  const tonThread =
    config.TON_RPC_URL_MAINNET && config.TON_RPC_URL_TESTNET ? null : openTonDevnetThread(logger);
  const solanaThread =
    config.SOLANA_RPC_URL_MAINNET && config.SOLANA_RPC_URL_DEVNET ? null : openSolanaDevnetThread(logger);

  const localTon = (network: TonNetwork, offset: number) =>
    startTonDevnet({
      ...{ network, dataDir, host, port: port(offset), logger },
      blockIntervalMs: QUIET_MS,
      thread: tonThread!,
    });
  const localSolana = (network: SolanaNetwork, offset: number) =>
    startSolanaDevnet({
      ...{ network, dataDir, host, port: port(offset), logger },
      quietSlotMs: QUIET_MS,
      thread: solanaThread!,
    });

  const starting = Promise.all([
    config.TON_RPC_URL_MAINNET ?? localTon('mainnet', 0),
    config.TON_RPC_URL_TESTNET ?? localTon('testnet', 1),
    config.SOLANA_RPC_URL_MAINNET ?? localSolana('mainnet', 2),
    config.SOLANA_RPC_URL_DEVNET ?? localSolana('devnet', 4),
  ]);
  const [tonMainnet, tonTestnet, solanaMainnet, solanaDevnet] = await starting.catch(
    async (error: unknown) => {
      await Promise.all([tonThread?.close(), solanaThread?.close()]);
      const { LOCAL_NETWORK_PORT, LOCAL_NETWORK_HOST } = config;
      if (/EADDRINUSE|EACCES/.test(String(error)))
        throw new WrongSettings(`LOCAL_NETWORK_PORT=${LOCAL_NETWORK_PORT}: ${String(error)}`);
      if (/EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN/.test(String(error)))
        throw new WrongSettings(`LOCAL_NETWORK_HOST=${LOCAL_NETWORK_HOST}: ${String(error)}`);
      throw error;
    },
  );
  const ton = new Map<TonNetwork, TonDevnet>();
  if (!isUrls(tonMainnet)) ton.set('mainnet', tonMainnet);
  if (!isUrls(tonTestnet)) ton.set('testnet', tonTestnet);
  const solana = new Map<SolanaNetwork, SolanaDevnet>();
  if (!isUrls(solanaMainnet)) solana.set('mainnet', solanaMainnet);
  if (!isUrls(solanaDevnet)) solana.set('devnet', solanaDevnet);

  const ways: SlowWay[] = [];
  const wayTo = async (url: string): Promise<string> => {
    if (config.LOCAL_NETWORK_LATENCY === 0) return url;
    const way = await openSlowWay(url, config.LOCAL_NETWORK_LATENCY);
    ways.push(way);
    return way.url;
  };
  const tonWays = async (given: readonly string[] | TonDevnet): Promise<readonly string[]> =>
    isUrls(given) ? given : [await wayTo(given.url)];
  const solanaWays = async (given: readonly string[] | SolanaDevnet): Promise<readonly SolanaNodeUrls[]> =>
    isUrls(given) ? solanaUrls(given) : [{ url: await wayTo(given.url), ws: given.wsUrl }];

  return {
    ton: { mainnet: await tonWays(tonMainnet), testnet: await tonWays(tonTestnet) },
    solana: { mainnet: await solanaWays(solanaMainnet), devnet: await solanaWays(solanaDevnet) },
    local: { ton, solana },
    localOrigins: localOrigins([...ton].map(([network, { url }]) => [network, url])),
    async close() {
      await Promise.all(ways.map(way => way.close()));
      await Promise.all([...ton.values(), ...solana.values()].map(network => network.close()));
      await Promise.all([tonThread?.close(), solanaThread?.close()]);
    },
  };
}

/**
 * The networks of a process that runs none itself: those without a URL are local ones of another process.
 * @throws WrongSettings when their ports are unknown
 */
export function findNetworks(config: Config): Networks {
  const local = (setting: NetworkSetting, offset: number): readonly string[] => {
    if (config[setting]) return config[setting];
    if (config.LOCAL_NETWORK_PORT === 0)
      throw new WrongSettings(
        `${setting}: must be set where no local network runs, or LOCAL_NETWORK_PORT be other than 0`,
      );
    return [`http://${reachableHost(config.LOCAL_NETWORK_HOST)}:${config.LOCAL_NETWORK_PORT + offset}`];
  };
  const ton = { mainnet: local('TON_RPC_URL_MAINNET', 0), testnet: local('TON_RPC_URL_TESTNET', 1) };
  return {
    ton,
    solana: {
      mainnet: solanaUrls(local('SOLANA_RPC_URL_MAINNET', 2)),
      devnet: solanaUrls(local('SOLANA_RPC_URL_DEVNET', 4)),
    },
    local: { ton: new Map(), solana: new Map() },
    localOrigins: localOrigins([
      ...(config.TON_RPC_URL_MAINNET ? [] : [['mainnet', ton.mainnet[0]!] as const]),
      ...(config.TON_RPC_URL_TESTNET ? [] : [['testnet', ton.testnet[0]!] as const]),
    ]),
    close: async () => undefined,
  };
}

const localOrigins = (local: readonly (readonly [TonNetwork, string])[]): ReadonlyMap<string, string> =>
  new Map(
    local.flatMap(([network, url]) => [
      [localTokenOrigin(network), `${url}${TOKEN_DOCUMENTS_PATH}`],
      // The local network of mainnet has the local market and the local application.
      ...(network === 'mainnet'
        ? [
            [LOCAL_MARKET_ORIGIN, `${url}${LOCAL_MARKET_PATH}`] as const,
            [LOCAL_APP_ORIGIN, `${url}${LOCAL_APP_PATH}`] as const,
          ]
        : []),
    ]),
  );

type NetworkSetting =
  'TON_RPC_URL_MAINNET' | 'TON_RPC_URL_TESTNET' | 'SOLANA_RPC_URL_MAINNET' | 'SOLANA_RPC_URL_DEVNET';

const isUrls = (given: readonly string[] | TonDevnet | SolanaDevnet): given is readonly string[] =>
  Array.isArray(given);

/** Nodes of the real networks take WebSockets under the URL itself. */
const solanaUrls = (urls: readonly string[]): readonly SolanaNodeUrls[] =>
  urls.map(url => ({ url, ws: url.replace(/^http/, 'ws') }));
