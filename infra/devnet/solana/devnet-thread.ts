import { join } from 'node:path';
import type { Logger } from 'pino';
import { logLine } from '../../engines/worker-thread/worker-logger';
import { startWorkerThread, type WorkerThread } from '../../engines/worker-thread/worker-thread';
import type { ForkReport, LocalNetwork, NetworkSettings } from './network';

export type OpenedNetwork = Pick<LocalNetwork, 'port' | 'genesisHash'>;

export interface DevnetMethods {
  /** Once, and before the others. */
  open(settings: NetworkSettings): OpenedNetwork;
  airdrop(address: string, lamports: bigint): string;
  advance(slots: number): void;
  skip(slots: number): void;
  fork(blocks: number, replay: boolean): ForkReport;
}

export interface SolanaDevnetThread extends OpenedNetwork {
  readonly thread: WorkerThread<DevnetMethods>;
}

/** Opens a local network in a worker thread of its own. @throws when its file or its ports are not available */
export async function openSolanaDevnetThread(
  settings: NetworkSettings,
  logger: Logger,
): Promise<SolanaDevnetThread> {
  const thread = startWorkerThread<DevnetMethods, string>(join(__dirname, 'devnet-worker.ts'), {
    name: `local Solana ${settings.network}`,
    data: logger.level,
    onNotification: line => logLine(logger, line),
  });
  try {
    const opened = await thread.call('open', settings);
    void thread.ended.then(err => err && logger.error({ err }, 'thread of the local Solana network failed'));
    return { ...opened, thread };
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}
