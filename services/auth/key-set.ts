import type { ExportedJWKSCache, JSONWebKeySet, JWTVerifyGetKey } from 'jose' with {
  'resolution-mode': 'import',
};
import type { IssuerConfig } from './config';

/** The keys of an issuer, and the only algorithms they may be used with. */
export interface IssuerKeys {
  readonly algorithms: readonly string[];
  readonly keyFor: JWTVerifyGetKey;
  /** A new object after each fetch of the keys; null when their next use will fetch them. */
  readonly version: () => object | null;
}

interface KeySet {
  readonly set: JWTVerifyGetKey & { readonly jwks: () => JSONWebKeySet | undefined };
  readonly version: IssuerKeys['version'];
}

const MIN_SECRET_BYTES = 32;

/** @throws Error when the key source is insecure: a secret that is too short, or a URL without https */
export async function openKeys({ issuer, algorithms, keys }: IssuerConfig): Promise<IssuerKeys> {
  const { createLocalJWKSet, errors } = await import('jose');
  if (keys.kind === 'secret') {
    const secret = new TextEncoder().encode(keys.secret);
    if (secret.length < MIN_SECRET_BYTES)
      throw new Error(`the secret of issuer ${issuer} is shorter than ${MIN_SECRET_BYTES} bytes`);
    return { algorithms: ['HS256'], keyFor: async () => secret, version: () => secret };
  }
  if (keys.kind === 'url' && new URL(keys.url).protocol !== 'https:')
    throw new Error(`the keys of issuer ${issuer} must come by https`);

  const { set, version }: KeySet =
    keys.kind === 'url'
      ? await fetchedSet(new URL(keys.url))
      : { set: createLocalJWKSet(keys.keys), version: () => keys };
  return {
    algorithms,
    keyFor: async (header, token) => {
      const key = await set(header, token);
      if (header.kid === undefined && (set.jwks()?.keys.length ?? 0) > 1)
        throw new errors.JWKSNoMatchingKey('several keys and no kid');
      return key;
    },
    version,
  };
}

async function fetchedSet(url: URL): Promise<KeySet> {
  const { createRemoteJWKSet, jwksCache } = await import('jose');
  const fetched: Partial<ExportedJWKSCache> = {};
  const set = createRemoteJWKSet(url, { [jwksCache]: fetched as ExportedJWKSCache });
  return { set, version: () => (set.fresh && fetched.jwks) || null };
}
