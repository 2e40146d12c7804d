import type { ExchangeLimits } from '../../contracts/http/exchange/market';
import {
  PartnerRefused,
  PartnerUnavailable,
  type ExchangePair,
} from '../../contracts/ports/exchange-partner';
import { Problem } from '../../contracts/problem/problem';

const RETRY_AFTER_SECONDS = 2;

/** What a caller is answered with whose request the partner has refused, or did not answer. Another error remains what it is. */
export function partnerProblem(error: unknown, pair: ExchangePair): unknown {
  if (error instanceof PartnerRefused) return refusalProblem(error, pair);
  if (!(error instanceof PartnerUnavailable)) return error;
  const { retryAfterMs } = error;
  return new Problem('exchange_unavailable', 'The exchange partner does not answer; try again.', {
    retryAfter: Math.max(RETRY_AFTER_SECONDS, Math.ceil((retryAfterMs ?? 0) / 1_000)),
  });
}

function refusalProblem({ reason, limits }: PartnerRefused, { from, to }: ExchangePair): Problem {
  switch (reason) {
    case 'amount_too_low':
    case 'amount_too_high': {
      // Wallets know the one limit from the other by the word.
      const [word, limit] =
        reason === 'amount_too_low' ? ['minimal', limits?.minFrom] : ['maximal', limits?.maxFrom];
      const message = `the ${word} amount is ${limit ? `${limit} ${from}` : 'another'}`;
      return new Problem('exchange_limit', `/body/amount: ${message}`, {
        errors: [{ pointer: '/body/amount', code: 'exchange_limit', message }],
        extra: limits ? { limits: limitsOf(limits) } : {},
      });
    }
    case 'currency_unavailable':
      return Problem.invalid('/body/fromCurrency', `cannot be exchanged for ${to} at the moment`);
    case 'address_invalid':
      return Problem.invalid('/body/wallet', `no address that the exchange partner pays ${to} to`);
    case 'other':
      return new Problem('exchange_refused', 'The exchange partner refused the request.');
  }
}

const limitsOf = (limits: NonNullable<PartnerRefused['limits']>): ExchangeLimits => ({
  min: { from: limits.minFrom, to: limits.minTo },
  max: { from: limits.maxFrom, to: limits.maxTo },
});
