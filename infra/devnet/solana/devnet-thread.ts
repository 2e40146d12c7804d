import { join } from 'node:path';
import type { Logger } from 'pino';
import { logLine } from '../../engines/worker-thread/worker-logger';
import { startWorkerThread, type WorkerThread } from '../../engines/worker-thread/worker-thread';
import type { ForkReport, LocalNetwork, NetworkSettings } from './network';

export type OpenedNetwork = Pick<LocalNetwork, 'port' | 'genesisHash'>;

/** A node is identified by the number that `open` returned. */
export interface DevnetMethods {
  open(settings: NetworkSettings): OpenedNetwork & { readonly node: number };
  airdrop(node: number, address: string, lamports: bigint): string;
  advance(node: number, slots: number): void;
  skip(node: number, slots: number): void;
  fork(node: number, blocks: number, replay: boolean): ForkReport;
  close(node: number): void;
}

/** A worker thread for local Solana networks. Two networks in one thread share its code. */
export interface SolanaDevnetThread {
  readonly call: WorkerThread<DevnetMethods>['call'];
  /** Ends the thread; close its networks first. */
  close(): Promise<void>;
}

/** MiB of young objects: those of a block are few, and a larger space is filled before it is collected. */
const YOUNG_GENERATION_MIB = 12;

export function openSolanaDevnetThread(logger: Logger): SolanaDevnetThread {
  const thread = startWorkerThread<DevnetMethods, string>(join(__dirname, 'devnet-worker.ts'), {
    name: 'local Solana networks',
    data: logger.level,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    onNotification: line => logLine(logger, line),
  });
  void thread.ended.then(err => err && logger.fatal({ err }, 'thread of the local Solana networks failed'));
  return { call: thread.call, close: () => thread.terminate() };
}
