import type { Logger } from 'pino';
import { messageOf } from '../contracts/text/error-message';
import { HttpError } from './http-response';

/** Of sockets and names, and of axios and undici. */
const NO_ANSWER =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENET(?:UNREACH|DOWN)|EADDRNOTAVAIL|ETIMEDOUT|EPIPE|UND_ERR_(?:\w+_TIMEOUT|SOCKET))$/;

/** What proxies answer for a server that is down, and servers that take no calls now. */
const DOWN: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** True where a source gave no answer at all. Anything else that fails may be a fault of what it answers, or of ours. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof HttpError) return DOWN.has(error.status);
  const { code } = error as { readonly code?: unknown };
  if (error.name === 'TimeoutError' || (typeof code === 'string' && NO_ANSWER.test(code))) return true;
  return isOutage(error.cause);
}

export interface OutageLog {
  /** An outage is a line when it begins; another fault is one whenever its message is not that of the last line. */
  failed(source: string, error: unknown): void;
  /**
   * Ends the outage with a line that says how many calls have failed.
   * @param began when the call did, by `performance.now()`: what began before the last failure says nothing of the time after it
   */
  answered(source: string, began: number): void;
}

interface Failing {
  readonly since: number;
  readonly failedAt: number;
  readonly failedCalls: number;
  readonly lastLine: string;
}

/**
 * Logs what happens to sources, each under its own name.
 * @param what of lines, such as `solana node`
 * @param member of lines, that has the name of the source
 */
export function createOutageLog(
  logger: Pick<Logger, 'warn' | 'info'>,
  what: string,
  member: string,
  now = () => performance.now(),
): OutageLog {
  const failing = new Map<string, Failing>();
  return {
    failed(source, error) {
      const known = failing.get(source);
      const [reason, isExpected] = [reasonOf(error), isOutage(error)];
      const isNew = !known || (!isExpected && known.lastLine !== reason);
      const why = isExpected ? { reason } : { err: error };
      if (isNew) logger.warn({ [member]: source, ...why }, `${what} failed`);
      failing.set(source, {
        since: known?.since ?? now(),
        failedAt: now(),
        failedCalls: (known?.failedCalls ?? 0) + 1,
        lastLine: isNew ? reason : known.lastLine,
      });
    },
    answered(source, began) {
      const known = failing.get(source);
      if (!known || began < known.failedAt) return;
      failing.delete(source);
      const { failedCalls, since } = known;
      const seconds = Math.round((now() - since) / 1_000);
      logger.info({ [member]: source, failedCalls, seconds }, `${what} answers again`);
    },
  };
}

/** A refused connection to a host with several addresses has no message. */
const reasonOf = (error: unknown): string =>
  messageOf(error) || String((error as { code?: unknown } | null)?.code ?? 'no answer');
