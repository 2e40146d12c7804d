import { appObserved, appSubject, type AppObserved } from '../../contracts/chain/app-metadata';
import { defineObservation, type Clients, type Reading } from '../../contracts/observation/observation';
import { createHostLimit, HostBusy } from './host-limit';

/** Some ten applications of one host. */
const REQUESTS_PER_MINUTE = 60;

/** Of the process. */
const hosts = createHostLimit(REQUESTS_PER_MINUTE);

/** The parser and the decoder of images are loaded at the first read: neither a start nor other processes wait for them. */
async function read({ web }: Clients, url: string, signal: AbortSignal): Promise<Reading<AppObserved>> {
  const { readApp } = await import('../apps/read-app.js');
  return { height: null, data: await readApp({ web, hosts }, url, signal) };
}

/**
 * What an application says of itself. A read that fails is an observation too, so that a server that is down is not asked each
 * time; it takes back nothing that an earlier one has read.
 */
export const appObservation = defineObservation({
  kind: 'app.metadata',
  subject: appSubject,
  schema: appObserved,
  source: { name: 'apps', maxConcurrent: 4 },
  minAgeMs: 60_000,
  staleAfterMs: 6 * 3_600_000,
  read,
  merge: (older, newer) => newer.data ?? older.data,
});

/**
 * The same of an application that was not observed so far; nothing is stored of it, and that it, or its host, could not be
 * asked is remembered too. Its limits are its own: addresses that were made up delay no refresh of a known application.
 */
export const unreadApp = defineObservation({
  kind: 'app.unread',
  recorded: false,
  subject: appSubject,
  schema: appObserved,
  source: { name: 'unread-apps', maxConcurrent: 4 },
  ttlMs: 300_000,
  servesStale: false,
  maxEntries: 500,
  read: (clients, url, signal) =>
    read(clients, url, signal).catch((error: unknown) => {
      if (error instanceof HostBusy) return { height: null, data: null };
      throw error;
    }),
});
