import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { SolanaNetwork } from '../../../contracts/network';
import { compiled } from '../../compiled';
import type { ForkReport } from './network';
import type { Command, CommandResults, FromWorker, WorkerSettings } from './protocol';

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

interface Waiter {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

const relog = (logger: Logger, line: string): void => {
  const { level, msg, ...fields } = JSON.parse(line) as { level: number; msg: string };
  logger[LEVELS[level / 10 - 1] ?? 'error'](fields, msg);
};

/** Starts a local network in a thread of its own. @throws when its file or its ports cannot be had */
export const startSolanaDevnet = async (options: SolanaDevnetOptions): Promise<SolanaDevnet> => {
  const { network, host = '127.0.0.1', port = 0, slotMs = 400, skipEvery = 20 } = options;
  const { confirmedAfter = 1, finalizedAfter = 8, keepSlots = 1_500_000, dataDir } = options;
  const logger = options.logger.child({ localNetwork: `solana-${network}` });
  const chain = { slotMs, skipEvery, confirmedAfter, finalizedAfter, keepSlots };
  const settings: WorkerSettings = { dataDir, network, host, port, ...chain, logLevel: logger.level };
  const worker = new Worker(compiled(join(__dirname, 'worker.ts')), { workerData: settings });

  const waiting = new Map<number, Waiter>();
  let lastId = 0;
  let closing = false;
  let failure: Error | null = null;

  const ready = new Promise<{ port: number; genesisHash: string }>((resolve, reject) => {
    worker.on('error', error => {
      failure = error;
      reject(error);
    });
    worker.on('exit', () => reject(failure ?? new Error('the local network ended before it began')));
    worker.on('message', (message: FromWorker) => {
      if (message.is === 'ready') resolve(message);
      else if (message.is === 'log') relog(logger, message.line);
      else {
        const waiter = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.is === 'done') waiter?.resolve(message.result);
        else waiter?.reject(new Error(message.reason));
      }
    });
  });
  const ended = new Promise<Error | null>(resolve => {
    worker.on('exit', code => {
      const error = closing ? null : (failure ?? new Error(`the local network ended with ${code}`));
      for (const { reject } of waiting.values()) reject(error ?? new Error('the local network is closed'));
      waiting.clear();
      if (error) logger.error({ err: error }, 'the local network ended');
      resolve(error);
    });
  });

  const ask = <Name extends Command['do']>(command: Command & { do: Name }): Promise<CommandResults[Name]> =>
    new Promise<unknown>((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      worker.postMessage({ id: lastId, command });
    }) as Promise<CommandResults[Name]>;

  const started = await ready;
  return {
    network,
    url: `http://${host}:${started.port}`,
    wsUrl: `ws://${host}:${started.port + 1}`,
    genesisHash: started.genesisHash,
    airdrop: (address, lamports) => ask({ do: 'airdrop', address, lamports }),
    close: async () => {
      if (!closing) {
        closing = true;
        await ask({ do: 'close' });
      }
      await ended;
    },
    ended,
    hooks: {
      advance: slots => ask({ do: 'advance', slots }),
      fork: ({ blocks, replay = false }) => ask({ do: 'fork', blocks, replay }),
    },
  };
};
