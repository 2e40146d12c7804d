import { NETWORKS, type FollowedNetworks, type NetworkRef } from '../../contracts/network/network';
import type { Config } from './settings';

type NetworkSetting =
  'TON_RPC_URL_MAINNET' | 'TON_RPC_URL_TESTNET' | 'SOLANA_RPC_URL_MAINNET' | 'SOLANA_RPC_URL_DEVNET';

type NetworkSettings = Pick<Config, NetworkSetting>;

const SETTINGS = {
  ton: { mainnet: 'TON_RPC_URL_MAINNET', testnet: 'TON_RPC_URL_TESTNET' },
  solana: { mainnet: 'SOLANA_RPC_URL_MAINNET', devnet: 'SOLANA_RPC_URL_DEVNET' },
} as const;

/** The setting that says how a network is reached. */
export function networkSetting(at: NetworkRef): NetworkSetting {
  return at.chain === 'ton' ? SETTINGS.ton[at.network] : SETTINGS.solana[at.network];
}

/** `real` where nodes are named. */
export function networkMode(config: NetworkSettings, at: NetworkRef): 'real' | 'local' | 'off' {
  const given = config[networkSetting(at)];
  return typeof given === 'string' ? given : 'real';
}

export function networksOf(config: NetworkSettings, mode: 'real' | 'local' | 'off'): readonly NetworkRef[] {
  return NETWORKS.filter(at => networkMode(config, at) === mode);
}

/** The networks that the instance serves: all that are not off. */
export function followedNetworks(config: NetworkSettings): FollowedNetworks {
  const followed = NETWORKS.filter(at => networkMode(config, at) !== 'off');
  return {
    ton: followed.flatMap(({ chain, network }) => (chain === 'ton' ? [network] : [])),
    solana: followed.flatMap(({ chain, network }) => (chain === 'solana' ? [network] : [])),
  };
}

/** The URLs of the nodes that are named; none of a network that is local or off. */
export function nodeUrls(config: NetworkSettings, at: NetworkRef): readonly string[] {
  const given = config[networkSetting(at)];
  return typeof given === 'string' ? [] : given;
}

const LOCAL_PORTS = {
  ton: { mainnet: [0], testnet: [1] },
  solana: { mainnet: [2, 3], devnet: [4, 5] },
} as const;

/**
 * What is added to LOCAL_NETWORK_PORT for a local network: its place does not depend on which others are local. Those of Solana
 * have a second port, for WebSockets.
 */
export function localPortOffsets(at: NetworkRef): readonly [number, ...number[]] {
  return at.chain === 'ton' ? LOCAL_PORTS.ton[at.network] : LOCAL_PORTS.solana[at.network];
}
