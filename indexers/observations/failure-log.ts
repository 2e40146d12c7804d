import type { Logger } from 'pino';
import { observationQueue, type ObservationSource } from '../../contracts/observation/observation';
import { messageOf } from '../../contracts/text/error-message';
import { createOutageLog, isOutage } from '../outage-log';

/** What is out as one: all that a queue reads. Null where strangers name sites, of which each is out by itself. */
export function outageScope<Subject>(source: ObservationSource<Subject>, subject: Subject): string | null {
  return source.siteOf ? null : observationQueue(source, subject);
}

export interface FailureLog {
  /** @param about of the line: which read has failed */
  failed(scope: string | null, about: object, error: unknown): void;
  /** @param began when the read did, by the clock of the log */
  answered(scope: string | null, began: number): void;
}

/**
 * Logs reads that fail: a line each, but while a source is out one for all that is read of it, and one when it answers again.
 * @param message of the line of a read
 * @param now milliseconds of a clock that never goes back; default: `performance.now()`
 */
export function createFailureLog(logger: Logger, message: string, now?: () => number): FailureLog {
  const outages = createOutageLog(logger, 'source of observations', 'queue', now);
  return {
    failed(scope, about, error) {
      if (scope === null || !isOutage(error)) return logger.warn({ ...about, err: error }, message);
      outages.failed(scope, error);
      logger.debug({ ...about, reason: messageOf(error) }, message);
    },
    answered(scope, began) {
      if (scope !== null) outages.answered(scope, began);
    },
  };
}
