import { join } from 'node:path';
import type { JSONWebKeySet, JWK } from 'jose' with { 'resolution-mode': 'import' };
import type { Principal } from '../../contracts/principal';
import { ensureSecretFile } from '../ensure-secret-file';

/** The key pair of a local issuer: Ed25519, as a private JWK with a `kid`. */
export type SigningKey = JWK & { readonly kid: string };

/** The issuer's key in the data folder, created on first use. */
export async function localKey(dataDir: string, issuer: Principal['issuer']): Promise<SigningKey> {
  const file = join(dataDir, 'keys', `${issuer}.json`);
  return JSON.parse(await ensureSecretFile(file, async () => JSON.stringify(await generate()))) as SigningKey;
}

/** The public part of a key, for verifiers. */
export function publicKeys({ d: _, ...key }: SigningKey): JSONWebKeySet {
  return { keys: [key] };
}

async function generate(): Promise<SigningKey> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, alg: 'EdDSA', use: 'sig', kid: await calculateJwkThumbprint(key) };
}
