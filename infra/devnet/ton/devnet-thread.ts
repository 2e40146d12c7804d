import { join } from 'node:path';
import type { Logger } from 'pino';
import { logLine } from '../../engines/worker-thread/worker-logger';
import { startWorkerThread, type WorkerThread } from '../../engines/worker-thread/worker-thread';
import type { Simulation } from './chain/simulation';
import type { FaucetGrant } from './faucet';
import type { NodeOptions } from './node';

/** A node is identified by the number that `start` returned. */
export interface DevnetMethods {
  start(options: NodeOptions): { readonly node: number; readonly port: number };
  grant(node: number, address: string, nanotons: bigint, extra?: bigint): FaucetGrant;
  advanceTime(node: number, seconds: number): number;
  /** Returns the result of the step. */
  simulate(node: number, step: keyof Simulation, ...parameters: readonly unknown[]): unknown;
  close(node: number): void;
}

/** A worker thread for local TON networks. Two networks in one thread share its code: about 66 MB less than two threads. */
export interface TonDevnetThread {
  readonly call: WorkerThread<DevnetMethods>['call'];
  /** Ends the thread; close its networks first. */
  close(): Promise<void>;
}

/** MiB of young objects: those of a block are few, and a larger space is filled before it is collected. */
const YOUNG_GENERATION_MIB = 12;

export function openTonDevnetThread(logger: Logger): TonDevnetThread {
  const thread = startWorkerThread<DevnetMethods, string>(join(__dirname, 'devnet-worker.ts'), {
    name: 'local TON networks',
    data: logger.level,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    onNotification: line => logLine(logger, line),
    // The virtual machine writes to standard error when it rejects a message.
    onStderr: text => logger.debug({ text }, 'TON virtual machine'),
  });
  void thread.ended.then(err => err && logger.fatal({ err }, 'thread of the local TON networks failed'));
  return { call: thread.call, close: () => thread.terminate() };
}
