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
 * A host has half of the requests to its domain, applications that are not known have three quarters of them, and each caller a
 * quarter of what these have: anybody can make up any number of hosts of a domain.
 * @param requests to a domain a minute, of this process
 */
export function createHostLimit(requests: number): HostLimit {
  const forUnknown = Math.ceil((requests * 3) / 4);
  const ofCaller = createLimit(shareOf(forUnknown));
  const ofHost = createLimit(Math.ceil(requests / 2));
  const ofUnknown = createLimit(forUnknown);
  const ofDomain = createLimit(requests);
  return {
    async admit(hostname, { caller, isKnown }) {
      const domain = registrableDomain(hostname);
      if (caller !== null) await ofCaller(`${domain} ${caller}`, `${domain} for one caller`);
      await ofHost(hostname, hostname);
      if (!isKnown) await ofUnknown(domain, domain);
      await ofDomain(domain, domain);
    },
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
