import type { JSONWebKeySet } from 'jose' with { 'resolution-mode': 'import' };

/** Where the keys of an issuer come from. A shared secret stands alone: its issuer then signs with nothing else. */
export type KeySource =
  | { readonly kind: 'keys'; readonly keys: JSONWebKeySet }
  /** An https URL of a JWKS document, fetched when needed and cached. */
  | { readonly kind: 'url'; readonly url: string }
  /** At least 32 bytes, for HS256. */
  | { readonly kind: 'secret'; readonly secret: string };

export interface IssuerConfig {
  /** The `iss` of its tokens. */
  readonly issuer: string;
  /** What its tokens must have in `aud`. */
  readonly audience: string;
  /** Of `ALGORITHMS`; without meaning for a secret. */
  readonly algorithms: readonly string[];
  readonly keys: KeySource;
}

export interface AuthConfig {
  /** The one served; tokens of the instance name it in `instance_id`. */
  readonly instanceId: string;
  readonly instance: IssuerConfig;
  readonly platform: IssuerConfig;
  /** Values of `acr` that mean a strong authentication. */
  readonly acrValues: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Asymmetric signatures only: the verifier holds nothing that could sign. */
export const ALGORITHMS = ['EdDSA', 'ES256', 'RS256'] as const;
