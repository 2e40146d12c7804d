import type { JWTVerifyGetKey } from 'jose' with { 'resolution-mode': 'import' };
import type { IssuerConfig } from './config';
import { fetchedKeys } from './fetched-keys';

/** The keys of an issuer, and the only algorithms they may be used with. */
export interface IssuerKeys {
  readonly algorithms: readonly string[];
  /** @throws JWKSMultipleMatchingKeys, which iterates over them, when a token fits several */
  readonly keyFor: JWTVerifyGetKey;
  /** A new object after each fetch of the keys; null when their next use will fetch them. */
  readonly version: () => object | null;
}

const MIN_SECRET_BYTES = 32;

/** @throws Error when the key source is insecure: a secret that is too short, or a URL without https */
export async function openKeys({ issuer, algorithms, keys }: IssuerConfig): Promise<IssuerKeys> {
  const { createLocalJWKSet } = await import('jose');
  if (keys.kind === 'secret') {
    const secret = new TextEncoder().encode(keys.secret);
    if (secret.length < MIN_SECRET_BYTES)
      throw new Error(`the secret of issuer ${issuer} is shorter than ${MIN_SECRET_BYTES} bytes`);
    return { algorithms: ['HS256'], keyFor: async () => secret, version: () => secret };
  }
  if (keys.kind === 'url') {
    if (new URL(keys.url).protocol !== 'https:')
      throw new Error(`the keys of issuer ${issuer} must come by https`);
    return { algorithms, ...(await fetchedKeys(keys)) };
  }
  return { algorithms, keyFor: createLocalJWKSet(keys.keys), version: () => keys };
}
