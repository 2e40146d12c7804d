import type { ExportedJWKSCache, JSONWebKeySet, JWTVerifyGetKey } from 'jose' with {
  'resolution-mode': 'import',
};
import type { IssuerConfig } from './config';

/** The keys of an issuer, and the only algorithms they may be used with. */
export interface IssuerKeys {
  readonly algorithms: readonly string[];
  readonly keyFor: JWTVerifyGetKey;
  /** Another object whenever keys have been fetched anew; null while their next use will fetch them. */
  readonly edition: () => object | null;
}

interface KeySet {
  readonly set: JWTVerifyGetKey & { readonly jwks: () => JSONWebKeySet | undefined };
  readonly edition: IssuerKeys['edition'];
}

const SHORTEST_SECRET = 32;

/** @throws Error when the key source cannot be right: the program must not start with it */
export async function openKeys({ issuer, algorithms, keys }: IssuerConfig): Promise<IssuerKeys> {
  const { createLocalJWKSet, errors } = await import('jose');
  if (keys.kind === 'secret') {
    const secret = new TextEncoder().encode(keys.secret);
    if (secret.length < SHORTEST_SECRET)
      throw new Error(`the secret of issuer ${issuer} is shorter than ${SHORTEST_SECRET} bytes`);
    return { algorithms: ['HS256'], keyFor: async () => secret, edition: () => secret };
  }
  if (keys.kind === 'url' && new URL(keys.url).protocol !== 'https:')
    throw new Error(`the keys of issuer ${issuer} must come by https`);

  const { set, edition }: KeySet =
    keys.kind === 'url'
      ? await fetchedSet(new URL(keys.url))
      : { set: createLocalJWKSet(keys.keys), edition: () => keys };
  return {
    algorithms,
    keyFor: async (header, token) => {
      const key = await set(header, token);
      if (header.kid === undefined && (set.jwks()?.keys.length ?? 0) > 1)
        throw new errors.JWKSNoMatchingKey('several keys and no kid');
      return key;
    },
    edition,
  };
}

async function fetchedSet(url: URL): Promise<KeySet> {
  const { createRemoteJWKSet, jwksCache } = await import('jose');
  const fetched: Partial<ExportedJWKSCache> = {};
  const set = createRemoteJWKSet(url, { [jwksCache]: fetched as ExportedJWKSCache });
  return { set, edition: () => (set.fresh && fetched.jwks) || null };
}
