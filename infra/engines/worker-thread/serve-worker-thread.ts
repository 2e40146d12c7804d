import { parentPort, workerData } from 'node:worker_threads';
import { encodeError, type FromWorker, type Methods, type ToWorker } from './messages';

export interface WorkerContext<Data, Notification> {
  /** The data that the thread was started with. */
  readonly data: Data;
  /** Aborted when the thread should close. */
  readonly closing: AbortSignal;
  notify(notification: Notification): void;
}

export type Handlers<M extends Methods<M>> = {
  readonly [Name in keyof M]: (
    ...parameters: Parameters<M[Name]>
  ) => ReturnType<M[Name]> | Promise<Awaited<ReturnType<M[Name]>>>;
};

export interface WorkerService<M extends Methods<M>> {
  readonly methods: Handlers<M>;
  /** Called when the last request has been answered. An error ends the thread as failed. */
  close?(): void | Promise<void>;
}

/** The thread's side of `startWorkerThread`: answers its requests until it closes. */
export function serveWorkerThread<M extends Methods<M>, Data = unknown, Notification = never>(
  serve: (context: WorkerContext<Data, Notification>) => WorkerService<M>,
): void {
  const port = parentPort!;
  const post = (message: FromWorker): void => port.postMessage(message);
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const { methods, close } = serve({
    data: workerData as Data,
    closing: closing.signal,
    notify: notification => post({ type: 'notification', notification }),
  });

  const answer = async (id: number, method: string, parameters: unknown[]): Promise<void> => {
    try {
      const handle = methods[method as keyof M] as (...given: unknown[]) => unknown;
      post({ type: 'result', id, result: await handle(...parameters) });
    } catch (error) {
      post({ type: 'error', id, error: encodeError(error) });
    }
  };
  const shutDown = async (): Promise<void> => {
    closing.abort(new Error('the thread is closing'));
    await Promise.all(running);
    await close?.();
    port.close();
  };

  port.on('message', (message: ToWorker) => {
    if (message.type === 'close') {
      void shutDown();
      return;
    }
    const answered = answer(message.id, message.method, message.parameters).finally(() =>
      running.delete(answered),
    );
    running.add(answered);
  });
}
