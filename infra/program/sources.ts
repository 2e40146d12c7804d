import type { Logger } from 'pino';
import type { SolanaNetwork, TonNetwork } from '../../contracts/network';
import type { Clients } from '../../contracts/observation';
import type { SolanaClient } from '../../contracts/ports/solana-client';
import type { TonClient } from '../../contracts/ports/ton-client';
import { createSourceLimits, type SourceLimits } from '../../indexers/observations/source-limits';
import type { TonSource } from '../../indexers/ton/source';
import { createV4Source } from '../../indexers/ton/v4-source/v4-source';
import { createSolanaClient } from '../engines/solana-client/solana-client';
import { createTonClient } from '../engines/ton-client/ton-client';
import type { Networks } from './networks';

/** How the chains are reached. Each is opened at its first use and shared by all roles of the process. */
export interface Sources {
  /** Blocks of TON, for its indexer. */
  ton(network: TonNetwork): TonSource;
  readonly clients: Clients;
  readonly limits: SourceLimits;
  close(): Promise<void>;
}

export function createSources(networks: Networks, logger: Logger, signal: AbortSignal): Sources {
  const blocks = new Map<TonNetwork, TonSource>();
  const ton = new Map<TonNetwork, TonClient>();
  const solana = new Map<SolanaNetwork, SolanaClient>();
  return {
    limits: createSourceLimits(),
    ton: network => opened(blocks, network, () => createV4Source({ endpoints: networks.ton[network] })),
    clients: {
      ton: network =>
        opened(ton, network, () => createTonClient({ urls: networks.ton[network], logger, signal })),
      solana: network =>
        opened(solana, network, () => createSolanaClient({ urls: networks.solana[network], logger, signal })),
    },
    async close() {
      await Promise.all([...blocks.values()].map(source => source.close()));
    },
  };
}

function opened<Key, Value>(all: Map<Key, Value>, key: Key, open: () => Value): Value {
  const value = all.get(key) ?? open();
  all.set(key, value);
  return value;
}
