import type { JWTVerifyGetKey } from 'jose' with { 'resolution-mode': 'import' };
import type { IssuerConfig } from './config';

/** The keys of an issuer, and the only algorithms they may be used with. */
interface IssuerKeys {
  readonly algorithms: readonly string[];
  readonly keyFor: JWTVerifyGetKey;
}

const SHORTEST_SECRET = 32;

/** @throws Error when the key source cannot be right: the program must not start with it */
export async function openKeys({ issuer, algorithms, keys }: IssuerConfig): Promise<IssuerKeys> {
  const { createLocalJWKSet, createRemoteJWKSet, errors } = await import('jose');
  if (keys.kind === 'secret') {
    const secret = new TextEncoder().encode(keys.secret);
    if (secret.length < SHORTEST_SECRET)
      throw new Error(`the secret of issuer ${issuer} is shorter than ${SHORTEST_SECRET} bytes`);
    return { algorithms: ['HS256'], keyFor: async () => secret };
  }
  if (keys.kind === 'url' && new URL(keys.url).protocol !== 'https:')
    throw new Error(`the keys of issuer ${issuer} must come by https`);

  const set = keys.kind === 'url' ? createRemoteJWKSet(new URL(keys.url)) : createLocalJWKSet(keys.keys);
  return {
    algorithms,
    keyFor: async (header, token) => {
      const key = await set(header, token);
      if (header.kid === undefined && (set.jwks()?.keys.length ?? 0) > 1)
        throw new errors.JWKSNoMatchingKey('several keys and no kid');
      return key;
    },
  };
}
