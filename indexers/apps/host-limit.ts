import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { registrableDomain } from '../../contracts/url/web-domain';

const WINDOW_SECONDS = 60;

/** Requests to what one party has registered, so that nobody can have this program flood somebody else. */
export interface HostLimit {
  /** Counts a request. @throws HostBusy */
  admit(hostname: string): Promise<void>;
}

export class HostBusy extends Error {
  override readonly name = 'HostBusy';
}

/** @param requests a minute, of this process */
export function createHostLimit(requests: number): HostLimit {
  const limiter = new RateLimiterMemory({ points: requests, duration: WINDOW_SECONDS });
  return {
    async admit(hostname) {
      const domain = registrableDomain(hostname);
      try {
        await limiter.consume(domain);
      } catch (error) {
        if (error instanceof RateLimiterRes)
          throw new HostBusy(`${domain} was asked ${requests} times within a minute`);
        throw error;
      }
    },
  };
}
