import { isUnavailable } from '../../contracts/engine/engine-unavailable';

/** Attempts at calls with a key that have ended without a response, until their streams say so. */
export interface Abandonments {
  /**
   * Of an attempt that has ended: its stream says so when this resolves, or will as soon as the event store answers. It waits
   * for one try at most, and for none while the store does not answer.
   * @param record appends that to the stream; it may be repeated
   * @param error what has ended the attempt
   */
  add(stream: string, record: () => Promise<unknown>, error: unknown): Promise<void>;
  /** Before the next call: what is still to be recorded of an earlier attempt in the stream. @throws EngineUnavailable */
  settle(stream: string): Promise<void>;
}

interface Pending {
  readonly record: () => Promise<unknown>;
  readonly until: number;
}

const RETRY_MS = 500;
/** Further ones are left to the take-over, as those of a crash are. */
const MAX_PENDING = 10_000;

/**
 * An outage of the event store ends calls, and keeps their streams from saying so: the next call with the key would have to wait
 * for the take-over. So it is recorded later, also for other processes.
 * @param keepMs after which the attempt can be taken over anyway
 */
export function createAbandonments(keepMs: number): Abandonments {
  const pending = new Map<string, Pending>();
  let timer: NodeJS.Timeout | undefined;

  /** @throws EngineUnavailable; another error would be the same each time */
  const attempt = async (stream: string, entry: Pending): Promise<void> => {
    const failure = await failureOf(entry.record());
    if (isUnavailable(failure, 'event store')) throw failure;
    if (pending.get(stream) === entry) pending.delete(stream);
  };

  /** One after the other until one fails: the store does not answer yet. */
  const retry = async (): Promise<void> => {
    for (const [stream, entry] of pending) {
      if (performance.now() >= entry.until) pending.delete(stream);
      else await attempt(stream, entry);
    }
  };
  const retryLater = (): void => {
    timer ??= setTimeout(() => {
      retry()
        .catch(() => undefined)
        .finally(() => {
          timer = undefined;
          if (pending.size > 0) retryLater();
        });
    }, RETRY_MS).unref();
  };

  return {
    async add(stream, record, error) {
      const failure = isUnavailable(error, 'event store') ? error : await failureOf(record());
      if (!isUnavailable(failure, 'event store') || (pending.size >= MAX_PENDING && !pending.has(stream)))
        return;
      pending.set(stream, { record, until: performance.now() + keepMs });
      retryLater();
    },
    async settle(stream) {
      const entry = pending.get(stream);
      if (entry) await attempt(stream, entry);
    },
  };
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
