import { LRUCache } from 'lru-cache';
import type { Message } from '../../../contracts/ports/mailbox';

/** A page of what is stored: at most `limit` messages, and no further one once it has `MAX_PAGE_BYTES`. */
export interface Page {
  readonly messages: readonly Message[];
  /** Where the next page begins; null when this one is the last. */
  readonly next: number | null;
}

/** @param after an id, exclusive */
export type ReadPage = (to: readonly string[], after: number, limit: number) => Page | Promise<Page>;

const MAX_BYTES = 16 * 1024 * 1024;
/** By which a message may be delivered after it has expired. */
const TTL_MS = 1_000;

/**
 * Reads a page once for all streams that ask for it about the same time, and gives them the same messages, so that what is made
 * of a message is shared too. Only pages that others follow: what comes later cannot be part of them, as ids grow.
 */
export function sharePages(readPage: ReadPage): ReadPage {
  const pages = new LRUCache<string, Page>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ messages }) => messages.reduce((sum, { body }) => sum + body.length, 1),
    ttl: TTL_MS,
  });
  const reading = new Map<string, Promise<Page>>();

  const keep = (key: string, page: Page): Page => {
    if (page.next !== null) pages.set(key, page);
    return page;
  };
  const readLater = (key: string, read: Promise<Page>): Promise<Page> => {
    const kept = read.then(page => keep(key, page)).finally(() => reading.delete(key));
    reading.set(key, kept);
    return kept;
  };

  return (to, after, limit) => {
    const key = `${after} ${limit} ${to.join()}`;
    const found = pages.get(key);
    if (found) return found;
    const begun = reading.get(key);
    // The last page may lack what was stored since it was asked for.
    if (begun) return begun.then(page => (page.next === null ? readPage(to, after, limit) : page));
    const page = readPage(to, after, limit);
    return page instanceof Promise ? readLater(key, page) : keep(key, page);
  };
}
