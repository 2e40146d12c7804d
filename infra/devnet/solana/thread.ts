import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Level, type Logger, pino } from 'pino';
import { compiled } from '../../engines/compiled';
import type { Command, CommandResults, FromWorker, Ready, WorkerSettings } from './protocol';

/** The thread of a local network, from outside. */
export interface NetworkThread {
  readonly ready: Promise<Ready>;
  /** @throws what the network throws, and when the thread has ended */
  ask<Name extends Command['do']>(command: Command & { do: Name }): Promise<CommandResults[Name]>;
  close(): Promise<void>;
  /** Settles when the thread has ended: with null after `close`, with the reason otherwise. */
  readonly ended: Promise<Error | null>;
}

interface Waiter {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const relog = (logger: Logger, line: string): void => {
  const { level, msg, ...fields } = JSON.parse(line) as { level: number; msg: string };
  logger[(pino.levels.labels[level] ?? 'error') as Level](fields, msg);
};

export function startThread(settings: WorkerSettings, logger: Logger): NetworkThread {
  const worker = new Worker(compiled(join(__dirname, 'worker.ts')), { workerData: settings });
  const waiting = new Map<number, Waiter>();
  let lastId = 0;
  let state: 'starting' | 'running' | 'closing' | 'ended' = 'starting';

  const settle = (id: number, how: (waiter: Waiter) => void): void => {
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (waiter) how(waiter);
  };

  const ready = new Promise<Ready>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      switch (message.is) {
        case 'ready':
          state = 'running';
          return resolve(message);
        case 'log':
          return relog(logger, message.line);
        case 'done':
          return settle(message.id, waiter => waiter.resolve(message.result));
        case 'failed':
          return settle(message.id, waiter => waiter.reject(new Error(message.reason)));
      }
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the local network ended before it began')));
  });

  const ended = new Promise<Error | null>(resolve => {
    let failure: Error | null = null;
    worker.on('error', error => (failure = error));
    worker.on('exit', code => {
      const reason =
        state === 'closing' ? null : (failure ?? new Error(`the local network ended with ${code}`));
      // When it has not begun, whoever started it is told by `ready`.
      if (reason && state === 'running') logger.error({ err: reason }, 'the local network ended');
      state = 'ended';
      for (const id of waiting.keys()) settle(id, ({ reject }) => reject(reason ?? new Error('closed')));
      resolve(reason);
    });
  });

  const ask = <Name extends Command['do']>(command: Command & { do: Name }): Promise<CommandResults[Name]> =>
    new Promise<unknown>((resolve, reject) => {
      if (state === 'ended') return reject(new Error('the local network has ended'));
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      worker.postMessage({ id: lastId, command });
    }) as Promise<CommandResults[Name]>;

  return {
    ready,
    ask,
    close: async () => {
      if (state === 'running') {
        state = 'closing';
        await ask({ do: 'close' });
      }
      await ended;
    },
    ended,
  };
}
