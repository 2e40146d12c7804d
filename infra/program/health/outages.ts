import type { Logger } from 'pino';
import { isUnavailable } from '../../../contracts/engine/engine-unavailable';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Engines } from '../../engines/engines';

interface Outage {
  readonly since: number;
  failedCalls: number;
  /** When the last failure was seen. */
  failedAt: number;
}

/**
 * The same engines, which log one line when the event store no longer answers, and one, with how many calls failed, when it
 * does again. @param now milliseconds of a clock that never goes back
 */
export function reportOutages(
  engines: Engines,
  logger: Pick<Logger, 'error' | 'warn'>,
  now = () => performance.now(),
): Engines {
  let outage: Outage | null = null;

  const failed = (error: unknown): void => {
    if (!isUnavailable(error, 'event store')) return;
    if (!outage) logger.error({ reason: error.reason }, 'event store does not answer');
    outage ??= { since: now(), failedCalls: 0, failedAt: 0 };
    outage.failedCalls += 1;
    outage.failedAt = now();
  };
  /** What began before the last failure says nothing of the time after it. */
  const answered = (began: number): void => {
    if (!outage || began < outage.failedAt) return;
    const { since, failedCalls } = outage;
    outage = null;
    logger.warn({ failedCalls, seconds: Math.round((now() - since) / 1_000) }, 'event store answers again');
  };
  const observed =
    <Given extends readonly unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const began = now();
      try {
        const result = await call(...given);
        answered(began);
        return result;
      } catch (error) {
        failed(error);
        throw error;
      }
    };

  const { store } = engines;
  const reporting: EventStore = {
    ...store,
    append: observed(store.append),
    deleteUpTo: observed(store.deleteUpTo),
    head: observed(store.head),
    end: observed(store.end),
    async *readStream(...read) {
      const began = now();
      try {
        yield* store.readStream(...read);
        answered(began);
      } catch (error) {
        failed(error);
        throw error;
      }
    },
  };
  return { ...engines, store: reporting };
}
