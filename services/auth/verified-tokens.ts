import type { JWTPayload } from 'jose' with { 'resolution-mode': 'import' };
import { LRUCache } from 'lru-cache';
import { atMost } from '../../contracts/engine/cache-bounds';
import type { Principal } from '../../contracts/principal';
import type { IssuerKeys } from './key-set';

/** A token with a verified signature. */
export interface Verified {
  readonly kind: Principal['issuer'];
  readonly claims: JWTPayload;
  readonly keys: IssuerKeys;
  /** Version of the keys when the signature was verified. */
  readonly keyVersion: object | null;
}

/** Tokens whose signatures have been verified; the least recently used one is evicted first. */
interface VerifiedTokens {
  /** Null when the token is not known, or its issuer's keys were fetched since or are about to be. */
  get(token: string): Verified | null;
  set(token: string, verified: Verified): void;
}

export function createVerifiedTokens(capacity: number): VerifiedTokens {
  const tokens = new LRUCache<string, Verified>(atMost(capacity));
  return {
    set: (token, verified) => void tokens.set(token, verified),
    get(token) {
      const known = tokens.get(token);
      if (!known) return null;
      if (known.keyVersion !== null && known.keyVersion === known.keys.version()) return known;
      tokens.delete(token);
      return null;
    },
  };
}
