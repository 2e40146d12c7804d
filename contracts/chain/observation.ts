import type { Json } from '../json';

/**
 * Something read from outside that is neither a transaction nor a command: a balance, contract state, pool parameters.
 * One topic for all, keyed by `observationKey`; the newest by `at` wins.
 */
export interface Observation<D extends Json = Json> {
  /** What was read, such as `solana.account`. */
  readonly kind: string;
  /** Whose: an account key, a contract, a currency. */
  readonly subject: string;
  /** How fresh the source was: seqno of the masterchain or slot; null where the source has no such number. */
  readonly height: number | null;
  /** RFC 3339 instant of the read. */
  readonly at: string;
  readonly data: D;
}

export const OBSERVATIONS = 'observations';

export function observationKey(kind: string, subject: string): string {
  return `${kind}/${subject}`;
}

/** Asks for a fresh observation. Coalesced and rate-limited: asking twice at once reads once. Resolves when it is asked, not when it is there. */
export type RequestObservation = (kind: string, subject: string) => Promise<void>;
