import type { JWTPayload } from 'jose' with { 'resolution-mode': 'import' };
import { LRUCache } from 'lru-cache';
import type { Principal } from '../../contracts/principal';
import type { IssuerKeys } from './key-set';

/** What a signature has been found to cover. */
export interface Verified {
  readonly kind: Principal['issuer'];
  readonly claims: JWTPayload;
  readonly keys: IssuerKeys;
  /** Of the keys, when the signature was verified. */
  readonly edition: object | null;
}

/** Tokens whose signatures need no second look, the one not asked for the longest forgotten first. */
export interface VerifiedTokens {
  /** Null when the token is not known, or when its issuer's keys have been fetched since or are about to be. */
  recall(token: string): Verified | null;
  remember(token: string, verified: Verified): void;
}

export function createVerifiedTokens(capacity: number): VerifiedTokens {
  const tokens = new LRUCache<string, Verified>({ max: capacity });
  return {
    remember: (token, verified) => void tokens.set(token, verified),
    recall(token) {
      const known = tokens.get(token);
      if (!known) return null;
      if (known.edition !== null && known.edition === known.keys.edition()) return known;
      tokens.delete(token);
      return null;
    },
  };
}
