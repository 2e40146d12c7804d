import { appObserved, appSubject, type AppObserved } from '../../contracts/chain/app-metadata';
import { defineObservation, type Clients, type Reading } from '../../contracts/observation/observation';
import { TooManyWaiting } from '../../contracts/fair-semaphore';
import { createHostLimit, HostBusy } from './host-limit';

/** To a domain: some twenty applications. */
export const REQUESTS_PER_MINUTE = 120;

/** Of the process. */
export const appHosts = createHostLimit(REQUESTS_PER_MINUTE);

/** What is observed is stored. */
const REFRESH = { caller: null, isKnown: true } as const;

/** The parser and the decoder of images are loaded at the first read: neither a start nor other processes wait for them. */
async function read({ web }: Clients, url: string, signal: AbortSignal): Promise<Reading<AppObserved>> {
  const { readApp } = await import('../apps/read-app.js');
  const admit = (hostname: string): Promise<void> => appHosts.admit(hostname, REFRESH);
  try {
    return { height: null, data: await readApp({ web, caller: 'stored applications', admit }, url, signal) };
  } catch (error) {
    // Read when somebody asks for it again: strangers may have asked for other applications of the host.
    if (error instanceof HostBusy) throw new TooManyWaiting(error.message);
    throw error;
  }
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
  ages: true,
  read,
  merge: (older, newer) => newer.data ?? older.data,
});
