import { join } from 'node:path';
import type { Logger } from 'pino';
import { LOCAL_APP_ORIGIN } from '../../contracts/chain/local-app';
import { LOCAL_MARKET_ORIGIN } from '../../contracts/chain/local-market';
import type { FollowedNetworks, NetworkRef, SolanaNetwork, TonNetwork } from '../../contracts/network';
import type { SolanaNodeUrls } from '../engines/solana-client/solana-client';
import {
  followedNetworks,
  localPortOffsets,
  networkMode,
  networkSetting,
  networksOf,
  nodeUrls,
} from './network-settings';
import { WrongSettings, type Config } from './settings';
import { openDevnetThread } from '../devnet/devnet-thread';
import { openSlowWay, type SlowWay } from '../devnet/latency';
import { reachableHost } from '../devnet/reachable-host';
import { startSolanaDevnet, type SolanaDevnet } from '../devnet/solana/devnet';
import { startTonDevnet, type TonDevnet } from '../devnet/ton/devnet';
import {
  LOCAL_APP_PATH,
  LOCAL_MARKET_PATH,
  localTokenOrigin,
  TOKEN_DOCUMENTS_PATH,
} from '../devnet/ton/local-origin';

/** Where each chain is reached: the operator's nodes, a local network that this program runs itself, or nowhere where it is off. */
export interface Networks {
  /** The networks that the instance serves: those with nodes. */
  readonly followed: FollowedNetworks;
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

/** Starts each network that is to be a local one, all in one thread beside this one. @throws WrongSettings */
export async function runNetworks(config: Config, logger: Logger): Promise<Networks> {
  const dataDir = join(config.DATA_DIR, 'networks');
  const host = config.LOCAL_NETWORK_HOST;
  const local = networksOf(config, 'local');
  const thread = local.length > 0 ? openDevnetThread(logger) : null;

  const startLocal = async (at: NetworkRef): Promise<LocalNetwork> => {
    const port = config.LOCAL_NETWORK_PORT === 0 ? 0 : localPort(config, at);
    const shared = { dataDir, host, port, logger };
    if (at.chain === 'solana') {
      const options = { ...shared, network: at.network, quietSlotMs: QUIET_MS, thread: thread! };
      return { ...at, devnet: await startSolanaDevnet(options) };
    }
    const options = { ...shared, network: at.network, blockIntervalMs: QUIET_MS, thread: thread! };
    return { ...at, devnet: await startTonDevnet(options) };
  };
  const started = await Promise.all(local.map(startLocal)).catch(async (error: unknown) => {
    await thread?.close();
    const { LOCAL_NETWORK_PORT, LOCAL_NETWORK_HOST } = config;
    if (/EADDRINUSE|EACCES/.test(String(error)))
      throw new WrongSettings(`LOCAL_NETWORK_PORT=${LOCAL_NETWORK_PORT}: ${String(error)}`);
    if (/EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN/.test(String(error)))
      throw new WrongSettings(`LOCAL_NETWORK_HOST=${LOCAL_NETWORK_HOST}: ${String(error)}`);
    throw error;
  });
  const ton = new Map(
    started.flatMap(each => (each.chain === 'ton' ? [[each.network, each.devnet] as const] : [])),
  );
  const solana = new Map(
    started.flatMap(each => (each.chain === 'solana' ? [[each.network, each.devnet] as const] : [])),
  );

  const ways: SlowWay[] = [];
  const wayTo = async (url: string): Promise<string> => {
    if (config.LOCAL_NETWORK_LATENCY === 0) return url;
    const way = await openSlowWay(url, config.LOCAL_NETWORK_LATENCY);
    ways.push(way);
    return way.url;
  };
  const tonNodes = async (network: TonNetwork): Promise<readonly string[]> => {
    const devnet = ton.get(network);
    return devnet ? [await wayTo(devnet.url)] : nodeUrls(config, { chain: 'ton', network });
  };
  const solanaNodes = async (network: SolanaNetwork): Promise<readonly SolanaNodeUrls[]> => {
    const devnet = solana.get(network);
    return devnet
      ? [{ url: await wayTo(devnet.url), ws: devnet.wsUrl }]
      : solanaUrls(nodeUrls(config, { chain: 'solana', network }));
  };

  return {
    followed: followedNetworks(config),
    ton: { mainnet: await tonNodes('mainnet'), testnet: await tonNodes('testnet') },
    solana: { mainnet: await solanaNodes('mainnet'), devnet: await solanaNodes('devnet') },
    local: { ton, solana },
    localOrigins: localOrigins([...ton].map(([network, { url }]) => [network, url])),
    async close() {
      await Promise.all(ways.map(way => way.close()));
      await Promise.all([...ton.values(), ...solana.values()].map(network => network.close()));
      await thread?.close();
    },
  };
}

type LocalNetwork =
  | { readonly chain: 'ton'; readonly network: TonNetwork; readonly devnet: TonDevnet }
  | { readonly chain: 'solana'; readonly network: SolanaNetwork; readonly devnet: SolanaDevnet };

const localPort = (config: Config, at: NetworkRef): number =>
  config.LOCAL_NETWORK_PORT + localPortOffsets(at)[0];

/**
 * The networks of a process that runs none itself: the local ones are those of another process.
 * @throws WrongSettings when their ports are unknown
 */
export function findNetworks(config: Config): Networks {
  const urls = (at: NetworkRef): readonly string[] => {
    if (networkMode(config, at) !== 'local') return nodeUrls(config, at);
    if (config.LOCAL_NETWORK_PORT === 0)
      throw new WrongSettings(
        `${networkSetting(at)}: must be set where no local network runs, or LOCAL_NETWORK_PORT be other than 0`,
      );
    return [`http://${reachableHost(config.LOCAL_NETWORK_HOST)}:${localPort(config, at)}`];
  };
  const ton = {
    mainnet: urls({ chain: 'ton', network: 'mainnet' }),
    testnet: urls({ chain: 'ton', network: 'testnet' }),
  };
  return {
    followed: followedNetworks(config),
    ton,
    solana: {
      mainnet: solanaUrls(urls({ chain: 'solana', network: 'mainnet' })),
      devnet: solanaUrls(urls({ chain: 'solana', network: 'devnet' })),
    },
    local: { ton: new Map(), solana: new Map() },
    localOrigins: localOrigins(
      networksOf(config, 'local').flatMap(({ chain, network }) =>
        chain === 'ton' ? [[network, ton[network][0]!] as const] : [],
      ),
    ),
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

/** Nodes of the real networks take WebSockets under the URL itself. */
const solanaUrls = (urls: readonly string[]): readonly SolanaNodeUrls[] =>
  urls.map(url => ({ url, ws: url.replace(/^http/, 'ws') }));
