import { join } from 'node:path';
import type { TransferListItem } from 'node:worker_threads';
import { EngineUnavailable, type EngineName } from '../../../../contracts/engine/engine-unavailable';
import { CheckpointMoved, UnknownCollection } from '../../../../contracts/ports/documents';
import { decodeError, type ErrorMessage } from '../../worker-thread/messages';
import { startWorkerThread, WorkerThreadEnded } from '../../worker-thread/worker-thread';
import type { EncodedPuts } from './encode';
import { StaleEncoding, type WriteTask } from './write-transaction';

/** A thread with a connection of its own, for transactions that would block this one. */
export interface WriterThread {
  /** One task at a time. @throws what `execute` throws; EngineUnavailable when the thread has ended */
  execute(task: WriteTask): Promise<number | null>;
  close(): Promise<void>;
}

export interface WriterMethods {
  execute(task: WriteTask): number | null;
}

/** MiB of young objects: tasks have large texts, of which few should be in memory at a time. */
const YOUNG_GENERATION_MIB = 8;

/** @param onFailure called when the thread ends without having been closed */
export function startWriterThread(path: string, onFailure: () => void): WriterThread {
  const thread = startWorkerThread<WriterMethods>(join(__dirname, 'writer-worker.ts'), {
    name: 'document writer',
    data: path,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    transferOf: ([task]) => bodiesOf(task),
    decode: sent => knownError(sent) ?? decodeError(sent),
    unrefWhenIdle: true,
  });
  void thread.ended.then(failure => failure && onFailure());

  return {
    execute: async task => {
      try {
        return await thread.call('execute', task);
      } catch (error) {
        if (!(error instanceof WorkerThreadEnded)) throw error;
        throw new EngineUnavailable('documents', error.message, { cause: error });
      }
    },
    close: () => thread.close(),
  };
}

const bodiesOf = (task: WriteTask): TransferListItem[] => {
  if (!('commits' in task)) return [];
  const runs = task.commits.flatMap(({ groups }) => groups.flatMap(group => group.runs));
  const puts = runs.filter((run): run is EncodedPuts => typeof run !== 'string');
  return puts.map(({ bodies }) => bodies.buffer as ArrayBuffer);
};

const knownError = (sent: ErrorMessage): Error | null => {
  if (sent.name === 'EngineUnavailable') {
    const { engine, reason } = sent.properties;
    const cause = sent.cause && decodeError(sent.cause);
    return new EngineUnavailable(engine as EngineName, String(reason), { cause });
  }
  const Known = [CheckpointMoved, UnknownCollection, StaleEncoding].find(known => known.name === sent.name);
  return Known ? new Known(sent.message) : null;
};
