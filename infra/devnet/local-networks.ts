import type { Logger } from 'pino';
import type { NetworkRef, SolanaNetwork, TonNetwork } from '../../contracts/network/network';
import { openDevnetThread } from './devnet-thread';
import { startSolanaDevnet, type SolanaDevnet } from './solana/devnet';
import { startTonDevnet, type TonDevnet } from './ton/devnet';

/** The local networks that run in this process. */
export interface LocalNetworks {
  readonly ton: ReadonlyMap<TonNetwork, TonDevnet>;
  readonly solana: ReadonlyMap<SolanaNetwork, SolanaDevnet>;
}

interface LocalNetworksOptions {
  readonly networks: readonly NetworkRef[];
  /** The folder of their chains. */
  readonly dataDir: string;
  readonly host: string;
  /** 0: a free one. */
  portOf(at: NetworkRef): number;
  /** Names under which they may be asked, and whose pages may ask, beside those of this machine. */
  readonly allowedHosts: readonly string[];
  readonly logger: Logger;
}

/** Milliseconds from one block of a local network to the next while nothing happens there; what is sent has its block at once. */
const QUIET_MS = 10_000;

type Started =
  | { readonly chain: 'ton'; readonly network: TonNetwork; readonly devnet: TonDevnet }
  | { readonly chain: 'solana'; readonly network: SolanaNetwork; readonly devnet: SolanaDevnet };

/** Starts local networks, all in one thread beside this one. @throws when a file or a port is not available */
export async function startLocalNetworks({
  networks,
  dataDir,
  host,
  portOf,
  allowedHosts,
  logger,
}: LocalNetworksOptions): Promise<LocalNetworks & { close(): Promise<void> }> {
  const thread = openDevnetThread(logger);
  const start = async (at: NetworkRef): Promise<Started> => {
    const shared = { dataDir, host, port: portOf(at), allowedHosts, logger, thread };
    return at.chain === 'solana'
      ? {
          ...at,
          devnet: await startSolanaDevnet({ ...shared, network: at.network, quietSlotMs: QUIET_MS }),
        }
      : {
          ...at,
          devnet: await startTonDevnet({ ...shared, network: at.network, blockIntervalMs: QUIET_MS }),
        };
  };
  const started = await Promise.all(networks.map(start)).catch(async (error: unknown) => {
    await thread.close();
    throw error;
  });
  return {
    ton: new Map(
      started.flatMap(each => (each.chain === 'ton' ? [[each.network, each.devnet] as const] : [])),
    ),
    solana: new Map(
      started.flatMap(each => (each.chain === 'solana' ? [[each.network, each.devnet] as const] : [])),
    ),
    async close() {
      await Promise.all(started.map(({ devnet }) => devnet.close()));
      await thread.close();
    },
  };
}
