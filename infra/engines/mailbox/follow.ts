import { setImmediate as turn } from 'node:timers/promises';
import { PageSize } from '../sqlite/page-size';
import type { Ear } from './ear';
import type { Message } from '../../../contracts/ports/mailbox';

const MOST = 1_000;

/**
 * Reads whenever the ear has rung, from where it was: the bell is a hint, and a hint more or less changes nothing.
 * @param listen gives an ear that rings when there is something to read for the first time, and after each commit since
 */
export async function* follow(
  listen: () => Ear,
  read: (after: number, limit: number) => Promise<readonly Message[]>,
  after: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly Message[]> {
  if (signal?.aborted) return;
  const ear = listen();
  signal?.addEventListener('abort', ear.close, { once: true });
  const size = new PageSize(MOST);
  try {
    for (let [last, more] = [after, false]; more || (await ear.rung());) {
      const limit = size.next;
      const page = await ear.unlessClosed(read(last, limit));
      if (page === undefined) return;
      more = page.length === limit;
      if (page.length === 0) continue;
      size.saw(page, ({ body }) => body.length);
      last = page.at(-1)!.id;
      yield page;
      if (more) await turn();
    }
  } finally {
    signal?.removeEventListener('abort', ear.close);
    ear.close();
  }
}
