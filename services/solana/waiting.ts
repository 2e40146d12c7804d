import { Problem } from '../../contracts/problem';
import type { Views } from '../../projections/views';
import type { SolanaReadDeps } from './deps';

const PATIENCE = 2_500;

/** Milliseconds between two times of asking. */
const INSISTENCE = 500;

/**
 * Reads until there is enough, looking again at every change of the collections, or until patience is over.
 * `ask` is called before each look: asking for what was read a moment ago asks for nothing, so it has to be repeated.
 */
export async function readUntil<T>(
  { views, now, patience = PATIENCE }: Pick<SolanaReadDeps, 'views' | 'now' | 'patience'>,
  collections: readonly string[],
  read: () => Promise<T>,
  enough: (value: T) => boolean,
  ask?: () => Promise<void>,
): Promise<T> {
  for (const deadline = now() + patience; ;) {
    await ask?.();
    const left = Math.max(deadline - now(), 0);
    // Listening begins before the look, or a change between the two would be missed.
    const change = listen(views, collections, ask ? Math.min(left, INSISTENCE) : left);
    const value = await read();
    if (enough(value) || now() >= deadline) return value;
    await change;
  }
}

/** A failed wait is an early look. */
const listen = (views: Views, collections: readonly string[], timeout: number): Promise<void> =>
  views.changed(collections, timeout).catch(() => {});

export function notReady(what: string): Problem {
  return new Problem(503, 'not_ready', `${what} has not been read yet; try again.`, {
    headers: { 'Retry-After': '2' },
  });
}
