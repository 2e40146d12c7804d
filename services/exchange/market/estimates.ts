import { EXCHANGE_ESTIMATES } from '../../../contracts/http/exchange/market';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../../contracts/engine/cache-bounds';
import { canonicalDecimal } from '../../../contracts/money/decimal';
import type { ExchangeTarget } from '../../../contracts/http/exchange/fields';
import {
  PartnerRefused,
  type ExchangePair,
  type ExchangePartner,
  type PartnerEstimate,
} from '../../../contracts/ports/exchange-partner';
import type { RateLimits } from '../../../contracts/ports/rate-limits';
import { monotonic } from '../../../contracts/time/monotonic';
import type { AnyCall } from '../../http/call';
import { addressKey } from '../../../contracts/http/address-key';
import { limitAddress } from '../../http/limits';
import { expectExchangeable, expectPartner, type ExchangeCurrencies } from './currencies';
import { partnerProblem } from '../partner-problems';

export interface EstimateDeps {
  readonly partner: () => Promise<ExchangePartner | null>;
  readonly currencies: Pick<ExchangeCurrencies, 'sourcesOf'>;
  /** Opened at the first use. */
  readonly limits: () => Promise<RateLimits>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Fires when the program stops. */
  readonly signal: AbortSignal;
}

export interface EstimateRequest {
  readonly fromCurrency: string;
  readonly toCurrency: ExchangeTarget;
  readonly amount: string;
}

export interface Estimated {
  readonly estimate: PartnerEstimate;
  readonly sandbox: boolean;
}

/** Rates move; a user who looks at one is shown it for as long, however many others ask. */
const TTL_MS = 5_000;
const MAX_CACHED = 5_000;

/** @throws Problem 400 that names the field, 422, 429, 503 */
export type Estimate = (
  request: EstimateRequest,
  caller: Pick<AnyCall, 'ip' | 'appendHeader'>,
) => Promise<Estimated>;

/** Estimates of the partner: one answers all who ask for the same amount in a few seconds and share what this returns. */
export function createEstimates(deps: EstimateDeps): Estimate {
  const { partner, currencies, limits, now, signal } = deps;
  const cache = new LRUCache<string, PartnerEstimate | PartnerRefused>({
    ...atMost(MAX_CACHED),
    ttl: TTL_MS,
    ttlResolution: 0,
    perf: { now: monotonic(now) },
  });
  const pending = new Map<string, Promise<PartnerEstimate | PartnerRefused>>();

  async function ask(partner: ExchangePartner, pair: ExchangePair, amount: string, caller: string) {
    return partner
      .estimate(pair, amount, { priority: 'estimate', caller, signal })
      .catch((error: unknown) => {
        if (error instanceof PartnerRefused) return error;
        throw error;
      });
  }

  /** What is cached, or what the same caller waits for, costs nothing. @throws Problem 429 */
  async function answerOf(
    caller: Pick<AnyCall, 'ip' | 'appendHeader'>,
    partner: ExchangePartner,
    pair: ExchangePair,
    amount: string,
  ): Promise<PartnerEstimate | PartnerRefused> {
    const key = `${pair.from} ${pair.to} ${amount}`;
    const address = addressKey(caller.ip);
    // Who waits for the call of another waits as long as the other, or loses it with the other.
    const own = `${key} ${address}`;
    const known = cache.get(key) ?? pending.get(own);
    if (known) return known;
    await limitAddress(await limits(), EXCHANGE_ESTIMATES, caller);
    const asked = pending.get(own) ?? ask(partner, pair, amount, address);
    pending.set(own, asked);
    try {
      const answer = await asked;
      cache.set(key, answer);
      return answer;
    } finally {
      pending.delete(own);
    }
  }

  return async ({ fromCurrency, toCurrency, amount: given }, caller) => {
    const amount = canonicalDecimal(given)!;
    const exchange = await expectPartner(partner);
    const pair = { from: fromCurrency, to: toCurrency } as const;
    await expectExchangeable(currencies, pair, amount);
    try {
      const answer = await answerOf(caller, exchange, pair, amount);
      if (answer instanceof PartnerRefused) throw answer;
      return { estimate: answer, sandbox: exchange.sandbox };
    } catch (error) {
      throw partnerProblem(error, pair);
    }
  };
}
