import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../../contracts/engine/cache-bounds';
import type { Quote } from './quote';

/** A fixed rate that was promised for an amount. */
export interface Rate {
  readonly from: string;
  readonly to: string;
  readonly quote: Quote;
  /** Unix seconds. */
  readonly expiredAt: number;
}

const RATE_SECONDS = 60;
const MAX_RATES = 10_000;

/** Promised rates. Each is for one order. */
export interface Rates {
  promise(from: string, to: string, quote: Quote): Rate & { readonly id: string };
  /** Null when it is unknown, used or expired. */
  take(id: string): Rate | null;
}

export function createRates(now: () => number): Rates {
  const rates = new LRUCache<string, Rate>(atMost(MAX_RATES));
  const seconds = (): number => Math.floor(now() / 1_000);
  return {
    promise(from, to, quote) {
      const id = randomBytes(32).toString('hex');
      const rate = { from, to, quote, expiredAt: seconds() + RATE_SECONDS };
      rates.set(id, rate);
      return { id, ...rate };
    },
    take(id) {
      const rate = rates.get(id);
      rates.delete(id);
      return rate && rate.expiredAt > seconds() ? rate : null;
    },
  };
}
