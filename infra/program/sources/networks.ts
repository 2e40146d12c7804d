import { join } from 'node:path';
import type { Logger } from 'pino';
import type {
  FollowedNetworks,
  NetworkRef,
  SolanaNetwork,
  TonNetwork,
} from '../../../contracts/network/network';
import type { SolanaNodeUrls } from '../../engines/solana-client/solana-client';
import {
  followedNetworks,
  localPortOffsets,
  networkMode,
  networkSetting,
  networksOf,
  nodeUrls,
} from '../../config/network-settings';
import { NETWORKS_FOLDER } from '../../config/data-dir';
import { reachableHost } from '../../config/reachable-host';
import { CannotListen, WrongSettings, type Config } from '../../config/settings';
import { publicUrlSettings } from '../settings/public-url';
import type { LocalNetworks, SlowWay } from '../../devnet/devnet';

/** Where each chain is reached: the operator's nodes, a local network that this program runs itself, or nowhere where it is off. */
export interface Networks {
  /** The networks that the instance serves: those with nodes. */
  readonly followed: FollowedNetworks;
  readonly ton: Readonly<Record<TonNetwork, readonly string[]>>;
  readonly solana: Readonly<Record<SolanaNetwork, readonly SolanaNodeUrls[]>>;
  readonly local: LocalNetworks;
  /**
   * Of local networks of TON: the origins of the market, the application and that tokens name, and the base URL to read each
   * from.
   */
  readonly localOrigins: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** Loaded only where there is a local network. */
const loadDevnet = () => import('../../devnet/devnet.js');

/** Starts each network that is to be a local one. @throws WrongSettings */
export async function runNetworks(config: Config, logger: Logger): Promise<Networks> {
  const networks = networksOf(config, 'local');
  if (networks.length === 0) return findNetworks(config);
  const { localOrigins, openSlowWay, startLocalNetworks } = await loadDevnet();
  const { ton, solana, close } = await startLocalNetworks({
    networks,
    dataDir: join(config.DATA_DIR, NETWORKS_FOLDER),
    host: config.LOCAL_NETWORK_HOST,
    portOf: at => (config.LOCAL_NETWORK_PORT === 0 ? 0 : localPort(config, at)),
    allowedHosts: allowedHosts(config),
    logger,
  }).catch((error: unknown) => {
    throw asWrongSetting(config, error);
  });

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
      await close();
    },
  };
}

/** Names of hosts under which local networks may be asked, beside those of this machine. */
export function allowedHosts(config: Config): readonly string[] {
  const { PUBLIC_URL } = config.of(publicUrlSettings);
  return [
    ...config.LOCAL_NETWORK_ALLOWED_HOSTS,
    ...(PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname]),
  ];
}

/** The setting to change where an address cannot be listened on; any other error as it is. */
function asWrongSetting({ LOCAL_NETWORK_PORT, LOCAL_NETWORK_HOST }: Config, error: unknown): unknown {
  if (/EADDRINUSE|EACCES/.test(String(error)))
    return new CannotListen(`LOCAL_NETWORK_PORT=${LOCAL_NETWORK_PORT}: ${String(error)}`);
  if (/EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN/.test(String(error)))
    return new CannotListen(`LOCAL_NETWORK_HOST=${LOCAL_NETWORK_HOST}: ${String(error)}`);
  return error;
}

const localPort = (config: Config, at: NetworkRef): number =>
  config.LOCAL_NETWORK_PORT + localPortOffsets(at)[0];

/**
 * The networks of a process that runs none itself: the local ones are those of another process.
 * @throws WrongSettings when their ports are unknown
 */
export async function findNetworks(config: Config): Promise<Networks> {
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
  const local = networksOf(config, 'local').flatMap(({ chain, network }) =>
    chain === 'ton' ? [[network, ton[network][0]!] as const] : [],
  );
  return {
    followed: followedNetworks(config),
    ton,
    solana: {
      mainnet: solanaUrls(urls({ chain: 'solana', network: 'mainnet' })),
      devnet: solanaUrls(urls({ chain: 'solana', network: 'devnet' })),
    },
    local: { ton: new Map(), solana: new Map() },
    localOrigins: local.length === 0 ? new Map() : (await loadDevnet()).localOrigins(local),
    close: async () => undefined,
  };
}

/** Nodes of the real networks take WebSockets under the URL itself. */
const solanaUrls = (urls: readonly string[]): readonly SolanaNodeUrls[] =>
  urls.map(url => ({ url, ws: url.replace(/^http/, 'ws') }));
