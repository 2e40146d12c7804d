import type { Logger } from 'pino';
import type { Position } from '../../contracts/position';
import { sleep } from '../../contracts/retry/retry';
import { findUnreadEvent, type UnreadEventsDeps } from './unread-events';

const INTERVAL_MS = 10 * 60_000;
const RETRY_MS = 10_000;

/** Looks for events that were not read at the start and then at intervals, until the signal or until one is found. */
export function watchUnreadEvents(
  deps: UnreadEventsDeps,
  logger: Pick<Logger, 'error' | 'warn'>,
  signal: AbortSignal,
): { readonly done: Promise<void>; readonly found: () => string | null } {
  let found: Position | null = null;
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      let delay = INTERVAL_MS;
      try {
        found = await findUnreadEvent(deps, signal);
      } catch (err) {
        if (signal.aborted) return;
        logger.warn({ err }, 'events cannot be compared with the ledger tree, retrying');
        delay = RETRY_MS;
      }
      if (found !== null) return logger.error({ position: found }, describe(found));
      await sleep(delay, signal);
    }
  };
  return { done: watch(), found: () => (found === null ? null : describe(found)) };
}

const describe = (position: Position): string =>
  `the event at position ${position} was not read: the ledger tree, and maybe projections, lack it; look with \`tidemark verify\`, and fold again with \`tidemark rebuild --all\``;
