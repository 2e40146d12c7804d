import {
  PartnerOutcomeUnknown,
  PartnerRefused,
  PartnerUnavailable,
} from '../../../../contracts/ports/exchange-partner';
import { limitsInError } from './answers';
import { RpcNotSent, RpcRefused } from './json-rpc';

type Reason = PartnerRefused['reason'];

/** The codes are the same for many faults, so the texts decide. The first pattern that matches counts. */
const REASONS: readonly (readonly [pattern: RegExp, reason: Reason])[] = [
  [/\bmin(?:imal|imum)? amount/i, 'amount_too_low'],
  [/\bmax(?:imal|imum)? amount|not enough liquidity/i, 'amount_too_high'],
  [/address|extra ?id/i, 'address_invalid'],
  [/currenc(?:y|ies)|disabled|unavailable|pair/i, 'currency_unavailable'],
];

const REQUESTS_LIMIT = /requests? limit|\brps\b/i;
const INVALID_PARAMS = -32_602;
/** The codes of a request that was not executed: JSON-RPC 2.0, section 5.1. */
const NOT_EXECUTED: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, INVALID_PARAMS]);

/** After "You reached requests limit": the partner counts by the second. */
const REQUESTS_LIMIT_MS = 1_000;

/** What a failed call means. @param changes whether the call may have changed something at the partner */
export function failureOf(
  error: unknown,
  changes: boolean,
): PartnerRefused | PartnerUnavailable | PartnerOutcomeUnknown {
  const cause = { cause: error };
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RpcNotSent) return new PartnerUnavailable(message, error.retryAfterMs, cause);
  if (error instanceof RpcRefused && (!changes || NOT_EXECUTED.has(error.code))) {
    if (REQUESTS_LIMIT.test(message)) return new PartnerUnavailable(message, REQUESTS_LIMIT_MS, cause);
    const reason = REASONS.find(([pattern]) => pattern.test(message))?.[1];
    if (reason || error.code === INVALID_PARAMS) {
      const limits = limitsInError.safeParse(error.data).data ?? null;
      return new PartnerRefused(reason ?? 'other', message, limits);
    }
    return new PartnerUnavailable(message, null, cause);
  }
  return changes ? new PartnerOutcomeUnknown(message, cause) : new PartnerUnavailable(message, null, cause);
}
