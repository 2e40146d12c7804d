import type { Logger } from 'pino';
import type { SolanaNetwork, TonNetwork } from '../../contracts/network';
import { createEndpoints, type Endpoints } from '../../indexers/solana/endpoints';
import type { TonSource } from '../../indexers/ton/source/port';
import { createV4Source } from '../../indexers/ton/source/v4';
import type { Networks } from './networks';

/** The clients of the chains, each made when it is first asked for, and one for all roles of the process. */
export interface Sources {
  ton(network: TonNetwork): TonSource;
  solana(network: SolanaNetwork): Endpoints;
  close(): Promise<void>;
}

export function createSources(networks: Networks, logger: Logger, signal: AbortSignal): Sources {
  const ton = new Map<TonNetwork, TonSource>();
  const solana = new Map<SolanaNetwork, Endpoints>();
  return {
    ton: network => made(ton, network, () => createV4Source({ endpoints: networks.ton[network] })),
    solana: network =>
      made(solana, network, () => createEndpoints({ urls: networks.solana[network], logger, signal })),
    async close() {
      await Promise.all([...ton.values()].map(source => source.close()));
    },
  };
}

function made<Key, Value>(all: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = all.get(key) ?? make();
  all.set(key, value);
  return value;
}
