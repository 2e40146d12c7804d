import { setFlagsFromString } from 'node:v8';
import { type ResourceLimits, type TransferListItem, Worker } from 'node:worker_threads';
import { messageOf } from '../../../contracts/text/error-message';
import { compiledPath } from '../compiled-path';
import { decodeError, type FromWorker, type Methods, type ToWorker } from './messages';

/** A worker thread that answers requests with `serveWorkerThread`. */
export interface WorkerThread<M extends Methods<M>> {
  /**
   * Requests run concurrently in the thread.
   * @throws what the method throws, as `decode` makes it; WorkerThreadEnded
   */
  call<Name extends keyof M & string>(
    name: Name,
    ...parameters: Parameters<M[Name]>
  ): Promise<Awaited<ReturnType<M[Name]>>>;
  /** Waits for the requests under way and for the thread's own `close`. @throws WorkerThreadEnded when that fails */
  close(): Promise<void>;
  /** Ends the thread at once. */
  terminate(): Promise<void>;
  /**
   * Ends the thread a second after its last answer, and does not keep the process from ending before. What V8 still compiles in the
   * background for a thread that has just worked may abort the whole process if the thread ends meanwhile: Node forgets the thread
   * before V8 has finished with it.
   */
  retire(): void;
  /** Resolves when the thread has ended: with null after `close` or `terminate`, otherwise with the reason. */
  readonly ended: Promise<WorkerThreadEnded | null>;
}

export interface WorkerThreadOptions<M extends Methods<M>, Notification> {
  /** Used in error messages. */
  readonly name: string;
  readonly data?: unknown;
  readonly resourceLimits?: ResourceLimits;
  readonly onNotification?: (notification: Notification) => void;
  /** Receives the standard error of the thread; default: that of this process. */
  readonly onStderr?: (text: string) => void;
  /** Restores the classes of errors that the caller distinguishes. */
  readonly decode?: typeof decodeError;
  /** Parts of the parameters to transfer to the thread instead of copying them. */
  readonly transferOf?: (parameters: Parameters<M[keyof M]>) => TransferListItem[];
  /** Lets the process end while no request is under way; default false. */
  readonly unrefWhenIdle?: boolean;
}

/** The thread ended, so that the request may or may not have been carried out. */
export class WorkerThreadEnded extends Error {
  override readonly name = 'WorkerThreadEnded';
}

const RETIRE_MS = 1_000;

interface PendingCall {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** @param file the TypeScript source of the thread's side, absolute; its compiled output is run */
export function startWorkerThread<M extends Methods<M>, Notification = never>(
  file: string,
  options: WorkerThreadOptions<M, Notification>,
): WorkerThread<M> {
  const { name, onNotification, onStderr, decode = decodeError, transferOf, unrefWhenIdle = false } = options;
  // V8 would apply a flag of the process, as `npm start` has one, whatever the limits of the thread. The process keeps what it has.
  setFlagsFromString('--max-semi-space-size=0');
  const worker = new Worker(compiledPath(file), {
    workerData: options.data,
    stderr: onStderr !== undefined,
    ...(options.resourceLimits && { resourceLimits: options.resourceLimits }),
  });
  const pending = new Map<number, PendingCall>();
  let lastId = 0;
  let expected = false;
  let failure: WorkerThreadEnded | null = null;
  let end: WorkerThreadEnded | null = null;

  const settle = (id: number, settleCall: (call: PendingCall) => void): void => {
    const call = pending.get(id);
    pending.delete(id);
    if (unrefWhenIdle && pending.size === 0) worker.unref();
    if (call) settleCall(call);
  };
  worker.on('message', (message: FromWorker) => {
    if (message.type === 'notification') onNotification?.(message.notification as Notification);
    else if (message.type === 'result') settle(message.id, call => call.resolve(message.result));
    else settle(message.id, call => call.reject(decode(message.error)));
  });
  worker.on('error', cause => {
    failure = new WorkerThreadEnded(`the ${name} thread failed: ${messageOf(cause)}`, { cause });
  });
  const ended = new Promise<WorkerThreadEnded | null>(resolve => {
    worker.on('exit', code => {
      const reason = failure ?? new WorkerThreadEnded(`the ${name} thread ended with exit code ${code}`);
      end = reason;
      for (const id of [...pending.keys()]) settle(id, call => call.reject(reason));
      resolve(expected ? failure : reason);
    });
  });
  if (onStderr) worker.stderr.on('data', (text: Buffer) => onStderr(text.toString()));
  if (unrefWhenIdle) worker.unref();

  const post = (message: ToWorker, transfer?: TransferListItem[]): void => {
    worker.ref();
    worker.postMessage(message, transfer ?? []);
  };

  return {
    call: (method, ...parameters) =>
      new Promise((resolve, reject) => {
        if (end) {
          reject(end);
          return;
        }
        const id = (lastId += 1);
        post({ type: 'request', id, method, parameters }, transferOf?.(parameters));
        pending.set(id, { resolve: resolve as PendingCall['resolve'], reject });
      }),
    close: async () => {
      if (end) return;
      expected = true;
      post({ type: 'close' });
      const reason = await ended;
      if (reason) throw reason;
    },
    terminate: async () => {
      expected = true;
      await worker.terminate();
    },
    retire: () => {
      expected = true;
      worker.unref();
      setTimeout(() => void worker.terminate(), RETIRE_MS).unref();
    },
    ended,
  };
}
