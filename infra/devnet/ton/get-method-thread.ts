import { join } from 'node:path';
import type { Logger } from 'pino';
import {
  startWorkerThread,
  WorkerThreadEnded,
  type WorkerThread,
} from '../../engines/worker-thread/worker-thread';
import { NOT_RUN, type GetMethodCall, type GetMethodOutcome } from '../../engines/tvm/tvm';

/** A get-method to be run. Cells are bags of cells in base64; there is no code where there is no contract. */
export interface MethodCall extends Omit<GetMethodCall, 'address' | 'code' | 'data' | 'stack'> {
  /** Raw. */
  readonly address: string;
  readonly code: string | null;
  readonly data: string | null;
  /** The tuple of arguments; null for none. */
  readonly args: string | null;
}

export interface MethodResult extends GetMethodOutcome {
  /** Of the call and of its result, as servers of the API v4 write them. */
  readonly arguments: readonly object[];
  readonly items: readonly object[];
}

export interface GetMethodWork {
  ready(): void;
  run(call: MethodCall): MethodResult | null;
}

/**
 * Runs get-methods in a thread of their own: code may lift its limit of gas, and a small result or argument may be a tree of any
 * size. What takes too long, or too much memory, ends with the thread, and only it.
 */
export interface GetMethods {
  /** Null when the arguments are no tuple. */
  run(call: MethodCall): Promise<MethodResult | null>;
  close(): Promise<void>;
}

/**
 * Milliseconds of processor time of one call, as far as the process has used them: a machine that is slow for a while must not
 * make a contract look as if there was none.
 */
const MAX_CALL_MS = 3_000;
const MIN_LOOK_MS = 100;
/** Of the objects of the thread. */
const MAX_HEAP_MIB = 128;
/** Without a call the thread ends after so long: it takes some 60 MB. */
const IDLE_MS = 10_000;

/** Of what could not be run, or took too much. */
export const NO_RESULT: MethodResult = { exitCode: NOT_RUN, stack: null, arguments: [], items: [] };

/** Calls `overdue` once this process has used so much processor time from now on. @returns what stops it */
function limitProcessorTime(maxMs: number, overdue: () => void): () => void {
  const before = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(before);
    const leftMs = maxMs - (user + system) / 1_000;
    if (leftMs <= 0) overdue();
    else timer = setTimeout(look, Math.max(leftMs, MIN_LOOK_MS));
  };
  let timer = setTimeout(look, maxMs);
  return () => clearTimeout(timer);
}

export function openGetMethods(logger: Logger, maxCallMs = MAX_CALL_MS): GetMethods {
  let thread: WorkerThread<GetMethodWork> | null = null;
  let idle: NodeJS.Timeout | undefined;
  /** One call at a time, so that one that is ended is the only one. */
  let last: Promise<unknown> = Promise.resolve();

  const start = (): WorkerThread<GetMethodWork> => {
    const started = startWorkerThread<GetMethodWork>(join(__dirname, 'get-method-worker.ts'), {
      name: 'get-methods',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB, maxYoungGenerationSizeMb: 8 },
      // The virtual machine writes there when it rejects a call.
      onStderr: text => logger.debug({ text }, 'get-methods'),
    });
    void started.ended.then(() => {
      if (thread === started) thread = null;
    });
    return started;
  };
  const end = async (): Promise<void> => {
    const ended = thread;
    thread = null;
    await ended?.terminate();
  };

  const runNow = async (call: MethodCall): Promise<MethodResult | null> => {
    clearTimeout(idle);
    const running = (thread ??= start());
    await running.call('ready');
    const stopLimit = limitProcessorTime(maxCallMs, () => void end());
    try {
      return await running.call('run', call);
    } catch (error) {
      if (!(error instanceof WorkerThreadEnded)) throw error;
      logger.debug({ address: call.address, methodId: call.methodId }, 'get-method ended: it took too much');
      return NO_RESULT;
    } finally {
      stopLimit();
      idle = setTimeout(() => void end(), IDLE_MS).unref();
    }
  };

  return {
    run(call) {
      const result = last.then(() => runNow(call));
      last = result.catch(() => undefined);
      return result;
    },
    async close() {
      await last;
      clearTimeout(idle);
      await end();
    },
  };
}
