import { join } from 'node:path';
import { type TransferListItem, Worker } from 'node:worker_threads';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
import { compiled } from '../../compiled';
import { unavailable } from '../../sqlite/errors';
import { CheckpointMoved, UnknownCollection } from '../../../../contracts/ports/documents';
import type { Puts } from './encode';
import { StaleLayout, type Task } from './tasks';

/** How an error crosses between threads. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly code: unknown;
}

/** Null when the task is done. */
export type Reply = Failure | null;

/** A thread with a connection of its own, for work that would keep this one from everything else. */
export interface Thread {
  /** One task at a time. @throws what `perform` throws; EngineUnavailable when the thread has died */
  perform(task: Task): Promise<void>;
  close(): Promise<void>;
}

/** MiB of young objects: the tasks hold large texts, of which few should be alive at a time. */
const YOUNG = 8;

/** @param onDeath called when it ends although nobody closed it */
export function startThread(path: string, onDeath: () => void): Thread {
  const worker = new Worker(compiled(join(__dirname, 'thread-main.ts')), {
    workerData: path,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
  });
  let waiting: { resolve(): void; reject(error: unknown): void } | null = null;
  let closing = false;
  const die = (cause: Error): void => {
    if (!closing) onDeath();
    waiting?.reject(new EngineUnavailable('documents', cause.message, { cause }));
  };
  worker.on('message', (reply: Reply) => (reply ? waiting?.reject(errorOf(reply)) : waiting?.resolve()));
  worker.on('error', die);
  const ended = new Promise<void>(resolve => {
    worker.on('exit', code => {
      die(new Error(`the thread that writes documents ended with ${code}`));
      resolve();
    });
  });
  worker.unref();

  return {
    perform: async task => {
      worker.ref();
      try {
        await new Promise<void>((resolve, reject) => {
          waiting = { resolve, reject };
          worker.postMessage(task, bodiesOf(task));
        });
      } finally {
        waiting = null;
        worker.unref();
      }
    },
    close: async () => {
      closing = true;
      worker.ref();
      worker.postMessage(null);
      await ended;
    },
  };
}

/** Moved, not copied. */
const bodiesOf = (task: Task): TransferListItem[] => {
  if (!('commits' in task)) return [];
  const runs = task.commits.flatMap(({ groups }) => groups.flatMap(group => group.runs));
  const puts = runs.filter((run): run is Puts => typeof run !== 'string');
  return puts.map(({ bodies }) => bodies.buffer as ArrayBuffer);
};

const KNOWN = [CheckpointMoved, UnknownCollection, StaleLayout];

const errorOf = ({ name, message, code }: Failure): unknown => {
  const Known = KNOWN.find(known => known.name === name);
  if (Known) return new Known(message);
  return unavailable('documents', Object.assign(new Error(message), { name, code }));
};
