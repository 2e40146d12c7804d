import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { EngineUnavailable } from '../../../contracts/engine-unavailable';
import type { OnFolding } from '../../../projections/as-of/fold';
import type { Moment } from '../../../projections/as-of/port';
import type { Mark } from '../../../projections/as-of/timeline';
import { compiled } from '../../engines/compiled';
import type { StoreSettings } from '../../engines/engines';
import type { Folding } from './folding';

/** What a thread is started for. */
export interface Work {
  readonly settings: StoreSettings;
  readonly task:
    { readonly find: Moment; readonly from: Mark } | { readonly fold: Mark; readonly file: string };
}

/** What it tells. Classes do not cross, so an engine that is away is told of by its parts. */
export type Report =
  | { readonly met: Mark }
  | { readonly folding: Parameters<OnFolding> }
  | { readonly done: Mark }
  | { readonly unavailable: Pick<EngineUnavailable, 'engine' | 'reason'> };

/** What it is told: to end between two batches, with everything closed. */
export const STOP = 'stop';

/** MiB of objects that live long. It needs a fraction of this, however long the ledger is. */
const MEMORY = 1_024;

/**
 * Folds the ledger in threads, so that this one has time for everything else: one for each piece of work, with a
 * connection of its own to the event store. One that dies rejects its work and nothing else.
 * @param memory MiB that a thread may take
 */
export function foldInThread(settings: StoreSettings, memory = MEMORY): Folding {
  const inThread = async (
    task: Work['task'],
    signal: AbortSignal,
    hear: (report: Report) => void,
  ): Promise<Mark> => {
    signal.throwIfAborted();
    const worker = new Worker(compiled(join(__dirname, 'thread-main.ts')), {
      workerData: { settings, task } satisfies Work,
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
    const stop = (): void => worker.postMessage(STOP);
    signal.addEventListener('abort', stop);
    try {
      return await new Promise<Mark>((resolve, reject) => {
        worker.on('error', reject);
        worker.on('exit', code => reject(new Error(`the thread that folds the ledger ended with ${code}`)));
        worker.on('message', (report: Report) => {
          if ('done' in report) resolve(report.done);
          else if ('unavailable' in report)
            reject(new EngineUnavailable(report.unavailable.engine, report.unavailable.reason));
          else hear(report);
        });
      });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      await worker.terminate();
    }
  };

  return {
    find: (moment, from, signal, onMark) =>
      inThread({ find: moment, from }, signal, report => 'met' in report && onMark(report.met)),
    async fold(file, mark, signal, onProgress) {
      await inThread(
        { fold: mark, file },
        signal,
        report => 'folding' in report && onProgress(...report.folding),
      );
    },
  };
}
