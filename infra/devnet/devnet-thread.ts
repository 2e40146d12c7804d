import { join } from 'node:path';
import type { Logger } from 'pino';
import { logLine } from '../engines/worker-thread/worker-logger';
import { startWorkerThread, type WorkerThread } from '../engines/worker-thread/worker-thread';
import type { SolanaDevnetMethods } from './solana/devnet-methods';
import type { TonDevnetMethods } from './ton/devnet-methods';

export interface DevnetMethods extends TonDevnetMethods, SolanaDevnetMethods {}

/** A worker thread for local networks. Those of one thread share its code: each further thread takes some 60 MB. */
export interface DevnetThread {
  readonly call: WorkerThread<DevnetMethods>['call'];
  /** Ends the thread, and the networks that still run in it. */
  close(): Promise<void>;
}

/** MiB of young objects: a block makes few, and a larger space is filled before it is collected. */
const YOUNG_GENERATION_MIB = 12;

export function openDevnetThread(logger: Logger): DevnetThread {
  const thread = startWorkerThread<DevnetMethods, string>(join(__dirname, 'devnet-worker.ts'), {
    name: 'local networks',
    data: logger.level,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    onNotification: line => logLine(logger, line),
    // The virtual machine of TON writes to standard error when it rejects a message.
    onStderr: text => logger.debug({ text }, 'local networks'),
  });
  void thread.ended.then(err => err && logger.fatal({ err }, 'thread of the local networks failed'));
  return { call: thread.call, close: () => thread.terminate() };
}
