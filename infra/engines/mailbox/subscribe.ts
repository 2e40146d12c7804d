import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Message } from '../../../contracts/ports/mailbox';
import { AdaptivePageSize } from '../sqlite/adaptive-page-size';
import type { Signal } from './signal';

const MAX_BATCH = 1_000;

/**
 * Reads on from the last id after each notification. A notification is a hint: a spurious one changes nothing.
 * @param listen returns a signal that is notified when the first read is due, and after each commit from then on
 */
export async function* subscribe(
  listen: () => Signal,
  read: (after: number, limit: number) => Promise<readonly Message[]>,
  after: number,
  abort?: AbortSignal,
): AsyncGenerator<readonly Message[]> {
  if (abort?.aborted) return;
  const signal = listen();
  abort?.addEventListener('abort', signal.close, { once: true });
  const size = new AdaptivePageSize(MAX_BATCH);
  try {
    for (let [last, more] = [after, false]; more || (await signal.wait());) {
      const limit = size.next;
      const page = await signal.untilClosed(read(last, limit));
      if (page === undefined) return;
      more = page.length === limit;
      if (page.length === 0) continue;
      size.update(page, ({ body }) => body.length);
      last = page.at(-1)!.id;
      yield page;
      if (more) await nextTurn();
    }
  } finally {
    abort?.removeEventListener('abort', signal.close);
    signal.close();
  }
}
