import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { startWorkerThread, type WorkerThread } from '../worker-thread/worker-thread';
import type { EmulationResult, EmulationWork, JettonWalletWork, JettonWork } from './emulate';

export interface EmulatorWork {
  emulate(work: EmulationWork): EmulationResult;
  jettonsAt(work: JettonWork): bigint;
  jettonWalletOf(work: JettonWalletWork): string | null;
}

/** Virtual machines in threads of their own: an emulation takes milliseconds in which nobody else would be answered. */
export interface EmulatorThreads {
  /** @throws WorkerThreadEnded */
  emulate(work: EmulationWork): Promise<EmulationResult>;
  /** @throws WorkerThreadEnded */
  jettonsAt(work: JettonWork): Promise<bigint>;
  /** @throws WorkerThreadEnded */
  jettonWalletOf(work: JettonWalletWork): Promise<string | null>;
  close(): Promise<void>;
}

const MAX_THREADS = 4;
/** Of the objects of a thread. */
const MAX_HEAP_MIB = 256;
/** Without work a thread ends after so long: it takes some 60 MB. */
const IDLE_MS = 30_000;

interface Running {
  readonly thread: WorkerThread<EmulatorWork>;
  works: number;
  idle?: NodeJS.Timeout;
}

/** A thread starts when all others are busy, as long as there are fewer than cores. */
export function openEmulatorThreads(logger: Pick<Logger, 'debug'>): EmulatorThreads {
  const max = Math.min(availableParallelism(), MAX_THREADS);
  const running = new Set<Running>();

  function start(): Running {
    const thread = startWorkerThread<EmulatorWork>(join(__dirname, 'emulator-worker.ts'), {
      name: 'emulator',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB, maxYoungGenerationSizeMb: 16 },
      unrefWhenIdle: true,
      // The virtual machine writes there when it rejects a message.
      onStderr: text => logger.debug({ text }, 'emulator'),
    });
    const started: Running = { thread, works: 0 };
    running.add(started);
    void thread.ended.then(() => running.delete(started));
    return started;
  }

  function leastBusy(): Running {
    let least: Running | undefined;
    for (const each of running) if (!least || each.works < least.works) least = each;
    return least && (least.works === 0 || running.size >= max) ? least : start();
  }

  function end(ended: Running): void {
    running.delete(ended);
    ended.thread.retire();
  }

  async function run<Result>(work: (thread: Running['thread']) => Promise<Result>): Promise<Result> {
    const chosen = leastBusy();
    clearTimeout(chosen.idle);
    chosen.works += 1;
    try {
      return await work(chosen.thread);
    } finally {
      chosen.works -= 1;
      if (chosen.works === 0) chosen.idle = setTimeout(() => end(chosen), IDLE_MS).unref();
    }
  }

  return {
    emulate: work => run(thread => thread.call('emulate', work)),
    jettonsAt: work => run(thread => thread.call('jettonsAt', work)),
    jettonWalletOf: work => run(thread => thread.call('jettonWalletOf', work)),
    async close() {
      for (const { idle } of running) clearTimeout(idle);
      await Promise.all([...running].map(({ thread }) => thread.terminate()));
    },
  };
}
