import type { JSONWebKeySet } from 'jose' with { 'resolution-mode': 'import' };
import type { FetchedKeysOptions } from './fetched-keys';

/** Where the keys of an issuer come from. With a shared secret, no other algorithm or key is accepted from the issuer. */
export type KeySource =
  | { readonly kind: 'keys'; readonly keys: JSONWebKeySet }
  /** An https URL of a JWKS document, fetched when needed and cached. */
  | ({ readonly kind: 'url' } & FetchedKeysOptions)
  /** At least 32 bytes, for HS256. */
  | { readonly kind: 'secret'; readonly secret: string };

export interface IssuerConfig {
  /** The `iss` of its tokens. */
  readonly issuer: string;
  /** What its tokens must have in `aud`. */
  readonly audience: string;
  /** Of `ALGORITHMS`; ignored for a secret. */
  readonly algorithms: readonly string[];
  readonly keys: KeySource;
}

export interface AuthConfig {
  /** The instance that is served; its tokens have it in `instance_id`. */
  readonly instanceId: string;
  readonly instance: IssuerConfig;
  readonly platform: IssuerConfig;
  /** Values of `acr` that mean a strong authentication. */
  readonly acrValues: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Asymmetric only, so that a verifier has no key that could sign. */
export const ALGORITHMS = ['EdDSA', 'ES256', 'RS256'] as const;
