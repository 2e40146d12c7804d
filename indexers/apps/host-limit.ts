import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { shareOf } from '../../contracts/bound';
import { registrableDomain } from '../../contracts/url/web-domain';

const WINDOW_SECONDS = 60;

/** Who has an application read. */
export interface AskedBy {
  /** Null: the program itself, which refreshes what is stored. */
  readonly caller: string | null;
  /** It is stored, or operators have verified or allowed it: it has requests that others cannot use up. */
  readonly isKnown: boolean;
}

/** Requests to what one party has registered, so that nobody can have this program flood somebody else. */
export interface HostLimit {
  /** Counts a request. @throws HostBusy */
  admit(hostname: string, by: AskedBy): Promise<void>;
}

export class HostBusy extends Error {
  override readonly name = 'HostBusy';
}

/**
 * A host has half of the requests to its domain. Of both, applications that are not known have three quarters, and each caller a
 * quarter of what these have: anybody can make up any number of hosts of a domain, and of addresses at a host.
 * @param requests to a domain a minute, of this process
 */
export function createHostLimit(requests: number): HostLimit {
  const ofHost = createShared(Math.ceil(requests / 2));
  const ofDomain = createShared(requests);
  return {
    async admit(hostname, by) {
      await ofHost(hostname, by);
      await ofDomain(registrableDomain(hostname), by);
    },
  };
}

/** Requests to a host or a domain. What one caller may not have any more, it does not take from others. */
function createShared(requests: number): (site: string, by: AskedBy) => Promise<void> {
  const forUnknown = Math.ceil((requests * 3) / 4);
  const ofCaller = createLimit(shareOf(forUnknown));
  const ofUnknown = createLimit(forUnknown);
  const ofAll = createLimit(requests);
  return async (site, { caller, isKnown }) => {
    if (caller !== null) await ofCaller(`${site} ${caller}`, `${site} for one caller`);
    if (!isKnown) await ofUnknown(site, site);
    await ofAll(site, site);
  };
}

function createLimit(points: number): (key: string, what: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
  return async (key, what) => {
    try {
      await limiter.consume(key);
    } catch (error) {
      if (error instanceof RateLimiterRes)
        throw new HostBusy(`${what} was asked ${points} times within a minute`);
      throw error;
    }
  };
}
