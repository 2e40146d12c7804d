import { shareOf } from '../../../contracts/bound';
import { Problem } from '../../../contracts/problem/problem';
import { createShares } from '../../http/shares';

/** In a process: each has what was recorded since it began in memory, for as long as its client takes to read it. */
export const MAX_OPEN_EXPORTS = 8;
/** Milliseconds in which a client has to have read one: some 5 kB a second. */
export const MAX_EXPORT_MS = 300_000;

const RETRY_AFTER_SECONDS = 5;

export interface OpenExport {
  /** The same parts, which fail once the export has lost its place. It gives the place up at their end. */
  within<Part>(parts: AsyncIterable<Part>): AsyncIterable<Part>;
  /** Gives the place up; to be called when there are no parts. */
  end(): void;
}

/** Exports that are sent at a time. */
export interface OpenExports {
  /**
   * Once all places are taken, a caller with fewer gets that of the newest export of the caller with most.
   * @param signal fires when the client has gone
   * @throws Problem 503 `not_ready`
   */
  begin(caller: string, signal: AbortSignal): OpenExport;
}

export function createOpenExports(max = MAX_OPEN_EXPORTS, maxMs = MAX_EXPORT_MS): OpenExports {
  const places = createShares(max, shareOf(max));
  return {
    begin(caller, signal) {
      let lost: Problem | null = null;
      let stop = (): void => undefined;
      const lose = (why: string) => (): void => {
        lost = Problem.unavailable(`The export has ended: ${why}.`, RETRY_AFTER_SECONDS);
        end();
        stop();
      };
      const place = places.take(caller, lose('others want to export as well'));
      if (typeof place === 'string')
        throw Problem.unavailable('Too many exports are being read; try again.', RETRY_AFTER_SECONDS);
      const timer = setTimeout(lose('it was read too slowly'), maxMs).unref();
      signal.addEventListener('abort', end);
      function end(): void {
        signal.removeEventListener('abort', end);
        clearTimeout(timer);
        if (typeof place !== 'string') place();
      }

      async function* within<Part>(parts: AsyncIterable<Part>): AsyncIterable<Part> {
        const each = parts[Symbol.asyncIterator]();
        // What it has in memory goes at once, although its client may not read on for a while.
        stop = () => void each.return?.();
        try {
          for (;;) {
            const { value, done } = await each.next();
            if (lost) throw lost;
            if (done) return;
            yield value;
          }
        } finally {
          end();
          await each.return?.();
        }
      }
      return { within, end };
    },
  };
}
