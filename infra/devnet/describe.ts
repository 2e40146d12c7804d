import type { SolanaNetwork, TonNetwork } from '../../contracts/network/network';
import type { LocalNetworks } from './local-networks';
import type { SolanaDevnetDescription } from './solana/traffic/traffic';
import type { TonDevnetDescription } from './ton/traffic/traffic';
import type { LocalTraffic } from './traffic';

/** What is known of a network before its accounts exist. */
type Unseeded<Described> = Partial<Described> & { readonly endpoint: string };
type Faucet = { readonly faucet: string };

/** The local networks with the keys of their accounts. */
export interface DevnetDescription {
  readonly notice: string;
  /** All networks have their accounts. */
  readonly seeded: boolean;
  readonly ton: readonly (Unseeded<TonDevnetDescription> & Faucet & { readonly network: TonNetwork })[];
  readonly solana: readonly (Unseeded<SolanaDevnetDescription> & { readonly network: SolanaNetwork })[];
  readonly faucet: Readonly<Record<'ton' | 'solana', string>>;
  readonly control: Readonly<Record<'advance' | 'fork' | 'skip', string>>;
}

export function describeDevnet(local: LocalNetworks, traffic: LocalTraffic): DevnetDescription {
  return {
    notice:
      'Local networks that run inside this program on real virtual machines. Their coins have no value, and all keys are public.',
    seeded:
      [...local.ton.keys()].every(network => traffic.ton.has(network)) &&
      [...local.solana.keys()].every(network => traffic.solana.has(network)),
    ton: [...local.ton].map(
      ([network, { url }]) => traffic.ton.get(network) ?? { network, endpoint: url, faucet: `${url}/faucet` },
    ),
    solana: [...local.solana].map(
      ([network, { url, wsUrl }]) =>
        traffic.solana.get(network) ?? { network, endpoint: url, websocket: wsUrl },
    ),
    faucet: {
      ton: 'POST {"address": "...", "amount": "<nanotons>", "extra": "<units of the extra currency>"} to the faucet of the network; extra may be missing',
      solana:
        'JSON-RPC requestAirdrop(address, lamports) at the endpoint of the network, up to 1,000 SOL a call',
    },
    control: {
      advance:
        'POST {"network": "mainnet", "seconds": 65536} to /devnet/ton/advance: the clock of the network moves ahead, for good',
      fork: 'POST {"network": "mainnet", "slots": 3, "transactions": "drop"} to /devnet/solana/fork: the open slot and the 3 before it are dropped, of those that are not finalized; or "include" their transactions again',
      skip: 'POST {"network": "mainnet", "slots": 3} to /devnet/solana/skip',
    },
  };
}
