import type { Logger } from 'pino';
import type { SolanaNetwork } from '../../../contracts/network/network';
import { type DevnetThread, openDevnetThread } from '../devnet-thread';
import { reachableHost } from '../../config/reachable-host';
import type { ForkReport } from './network';

export interface SolanaDevnetOptions {
  /** The folder of the chain's file, created if missing. An existing chain is continued. */
  readonly dataDir: string;
  readonly network: SolanaNetwork;
  readonly host?: string;
  /** The HTTP port; WebSocket is on the next one, and on this one too. Default: any free pair. */
  readonly port?: number;
  /** Milliseconds from one slot to the next; default 400, as on the real network. 0: slots pass by `hooks.advance`. */
  readonly slotMs?: number;
  /** Milliseconds from one slot to the next while no transaction waits to be finalized; default `slotMs`. */
  readonly quietSlotMs?: number;
  /** One slot in so many has no block; default 20, 0 for none. */
  readonly skipEvery?: number;
  /** Number of blocks after which a block is confirmed; default 1. */
  readonly confirmedAfter?: number;
  /** Number of blocks after which a block is finalized; default 8 (about 32 on the real network). */
  readonly finalizedAfter?: number;
  /** Blocks older than so many slots are deleted, their transactions are not; default 1,500,000, about a week. */
  readonly keepSlots?: number;
  /** Default 432,000, as on the real network. */
  readonly slotsPerEpoch?: number;
  /** Names under which it may be asked, and whose pages may ask, beside those of this machine; default: none. */
  readonly allowedHosts?: readonly string[];
  readonly logger: Logger;
  /** A thread shared with other networks; default: one of its own. */
  readonly thread?: DevnetThread;
}

/** A local Solana network: the real SVM behind the JSON-RPC that `Connection` of web3.js speaks. */
export interface SolanaDevnet {
  readonly network: SolanaNetwork;
  /** For `new Connection(url)`, which derives the WebSocket's URL. */
  readonly url: string;
  readonly wsUrl: string;
  /** Differs for every new chain, so that a client of an earlier one notices. */
  readonly genesisHash: string;
  /** Sends SOL from the faucet. @returns the signature of the transfer, durable and processed by then */
  airdrop(address: string, lamports: bigint): Promise<string>;
  /** Stops the servers, once however often it is called. Optional: acknowledged transactions are durable without it. */
  close(): Promise<void>;
  readonly hooks: SolanaDevnetHooks;
}

/** Operations that no real network has, for tests and demonstrations. */
export interface SolanaDevnetHooks {
  /** Lets slots pass at once. */
  advance(slots: number): Promise<void>;
  /** So many slots after the open one have no block. */
  skip(slots: number): Promise<void>;
  /**
   * Drops the newest blocks that are not finalized, and the open one: their transactions and all that they did. The
   * chain continues with another history, in slots after those dropped.
   * @param options.blocks how many closed blocks to drop; fails when fewer are not finalized
   * @param options.replay runs the dropped transactions again in the new history, where they still can; default false
   */
  fork(options: { readonly blocks: number; readonly replay?: boolean }): Promise<ForkReport>;
}

/** Starts a local network in a worker thread. @throws when its file or its ports are not available */
export async function startSolanaDevnet(options: SolanaDevnetOptions): Promise<SolanaDevnet> {
  const { network, host = '127.0.0.1', port = 0, slotMs = 400, skipEvery = 20 } = options;
  const {
    confirmedAfter = 1,
    finalizedAfter = 8,
    keepSlots = 1_500_000,
    slotsPerEpoch = 432_000,
    quietSlotMs = slotMs,
    dataDir,
    allowedHosts = [],
  } = options;
  const chain = { slotMs, quietSlotMs, skipEvery, confirmedAfter, finalizedAfter, keepSlots, slotsPerEpoch };
  const settings = { dataDir, network, host, port, allowedHosts, ...chain };
  const thread = options.thread ?? openDevnetThread(options.logger);
  const opened = await thread.call('openSolana', settings).catch(async (error: unknown) => {
    if (!options.thread) await thread.close();
    throw error;
  });
  const { node, port: chosen, genesisHash } = opened;
  let closed: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await thread.call('closeSolana', node);
    if (!options.thread) await thread.close();
  };
  return {
    network,
    url: `http://${reachableHost(host)}:${chosen}`,
    wsUrl: `ws://${reachableHost(host)}:${chosen + 1}`,
    genesisHash,
    airdrop: (address, lamports) => thread.call('airdrop', node, address, lamports),
    close: () => (closed ??= close()),
    hooks: {
      advance: slots => thread.call('advanceSlots', node, slots),
      skip: slots => thread.call('skipSlots', node, slots),
      fork: ({ blocks, replay = false }) => thread.call('fork', node, blocks, replay),
    },
  };
}
