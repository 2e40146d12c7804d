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
  readonly ended: WorkerThread<DevnetMethods>['ended'];
}

/** MiB of young objects: a block makes few, and a larger space is filled before it is collected. */
const YOUNG_GENERATION_MIB = 12;

/** @param options.unrefWhenIdle lets the process end while networks run; default false */
export function openDevnetThread(
  logger: Logger,
  { unrefWhenIdle = false }: { readonly unrefWhenIdle?: boolean } = {},
): DevnetThread {
  const thread = startWorkerThread<DevnetMethods, string>(join(__dirname, 'devnet-worker.ts'), {
    name: 'local networks',
    data: logger.level,
    unrefWhenIdle,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    onNotification: line => logLine(logger, line),
  });
  void thread.ended.then(err => err && logger.fatal({ err }, 'thread of the local networks failed'));
  return { call: thread.call, close: () => thread.terminate(), ended: thread.ended };
}
