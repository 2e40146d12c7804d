import type { Logger } from 'pino';
import type { SolanaNetwork } from '../../../contracts/network';
import type { ForkReport } from './network';
import { startThread } from './thread';

export interface SolanaDevnetOptions {
  /** The folder of the chain's file, made when it is not there. A chain goes on where it was. */
  readonly dataDir: string;
  readonly network: SolanaNetwork;
  readonly host?: string;
  /** The HTTP port; WebSocket is on the one above, and on this one too. Default: any pair that is free. */
  readonly port?: number;
  /** Milliseconds from one slot to the next; default 400, as on the real network. 0: slots pass by `hooks.advance`. */
  readonly slotMs?: number;
  /** One slot in so many has no block; default 20, 0 for none. */
  readonly skipEvery?: number;
  /** How many blocks after its own a block is confirmed; default 1. */
  readonly confirmedAfter?: number;
  /** How many blocks after its own a block is finalized; default 8, where the real network has about 32. */
  readonly finalizedAfter?: number;
  /** Blocks older than so many slots are forgotten, their transactions are not; default 1,500,000, about a week. */
  readonly keepSlots?: number;
  readonly logger: Logger;
}

/** A local Solana network: the real SVM behind the JSON-RPC that `Connection` of web3.js speaks. */
export interface SolanaDevnet {
  readonly network: SolanaNetwork;
  /** For `new Connection(url)`, which finds the WebSocket by itself. */
  readonly url: string;
  readonly wsUrl: string;
  /** Another one for each new chain: a reader that has an older one in mind will notice. */
  readonly genesisHash: string;
  /** Gives SOL from the faucet. @returns the signature of the transfer, durable and processed by then */
  airdrop(address: string, lamports: bigint): Promise<string>;
  /** Stops the servers and the thread. Nothing is lost by not calling it. */
  close(): Promise<void>;
  /** Settles when the thread has ended, by `close` or by itself; with the error in the latter case. */
  readonly ended: Promise<Error | null>;
  readonly hooks: SolanaDevnetHooks;
}

/** What no real network lets anybody do: for tests. */
export interface SolanaDevnetHooks {
  /** Lets slots pass at once. */
  advance(slots: number): Promise<void>;
  /**
   * Drops the newest blocks that are not finalized, and the open one: their transactions and all that they did. The
   * chain goes on with another history, in slots after those dropped.
   * @param options.blocks how many closed blocks to drop; fails when fewer are not finalized
   * @param options.replay runs the dropped transactions again in the new history, where they still can; default false
   */
  fork(options: { readonly blocks: number; readonly replay?: boolean }): Promise<ForkReport>;
}

/** Starts a local network in a thread of its own. @throws when its file or its ports cannot be had */
export async function startSolanaDevnet(options: SolanaDevnetOptions): Promise<SolanaDevnet> {
  const { network, host = '127.0.0.1', port = 0, slotMs = 400, skipEvery = 20 } = options;
  const { confirmedAfter = 1, finalizedAfter = 8, keepSlots = 1_500_000, dataDir } = options;
  const logger = options.logger.child({ localNetwork: `solana-${network}` });
  const chain = { slotMs, skipEvery, confirmedAfter, finalizedAfter, keepSlots };
  const thread = startThread({ dataDir, network, host, port, ...chain, logLevel: logger.level }, logger);
  const { port: chosen, genesisHash } = await thread.ready;
  return {
    network,
    url: `http://${host}:${chosen}`,
    wsUrl: `ws://${host}:${chosen + 1}`,
    genesisHash,
    airdrop: (address, lamports) => thread.ask({ do: 'airdrop', address, lamports }),
    close: () => thread.close(),
    ended: thread.ended,
    hooks: {
      advance: slots => thread.ask({ do: 'advance', slots }),
      fork: ({ blocks, replay = false }) => thread.ask({ do: 'fork', blocks, replay }),
    },
  };
}
