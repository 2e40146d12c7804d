import { join } from 'node:path';
import { EngineUnavailable, type EngineName } from '../../../../../contracts/engine/engine-unavailable';
import type { OnFolding } from '../../../../../projections/as-of/fold';
import type { Moment } from '../../../../../projections/as-of/port';
import type { Mark } from '../../../../../projections/as-of/timeline';
import type { StoreSettings } from '../../../../engines/engines';
import { decodeError } from '../../../../engines/worker-thread/messages';
import { startWorkerThread, type WorkerThread } from '../../../../engines/worker-thread/worker-thread';
import type { SnapshotBuilder } from './snapshot-builder';

export interface FoldMethods {
  find(moment: Moment, from: Mark): Mark;
  fold(file: string, mark: Mark): void;
}

export type FoldNotification = { readonly found: Mark } | { readonly folded: Parameters<OnFolding> };

/** MiB of long-lived objects. It needs a fraction of this, however long the ledger is. */
const MEMORY_MIB = 1_024;

/**
 * Folds the ledger in worker threads, so that the event loop of this one stays responsive: one thread for each call,
 * with a connection of its own to the event store. One that fails rejects its call and nothing else.
 */
export function threadBuilder(settings: StoreSettings): SnapshotBuilder {
  const inThread = async <Result>(
    signal: AbortSignal,
    onNotification: (notification: FoldNotification) => void,
    call: (thread: WorkerThread<FoldMethods>) => Promise<Result>,
  ): Promise<Result> => {
    signal.throwIfAborted();
    const thread = startWorkerThread<FoldMethods, FoldNotification>(join(__dirname, 'fold-worker.ts'), {
      name: 'ledger folding',
      data: settings,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
      onNotification,
      decode: sent =>
        sent.name === 'EngineUnavailable'
          ? new EngineUnavailable(sent.properties['engine'] as EngineName, String(sent.properties['reason']))
          : decodeError(sent),
    });
    const close = (): void => void thread.close().catch(() => undefined);
    signal.addEventListener('abort', close);
    try {
      return await call(thread);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', close);
      thread.retire();
    }
  };

  return {
    find: (moment, from, signal, onMark) =>
      inThread(
        signal,
        notification => 'found' in notification && onMark(notification.found),
        thread => thread.call('find', moment, from),
      ),
    fold: (file, mark, signal, onProgress) =>
      inThread(
        signal,
        notification => 'folded' in notification && onProgress(...notification.folded),
        thread => thread.call('fold', file, mark),
      ),
  };
}
