import { join } from 'node:path';
import type { JSONWebKeySet, JWK } from 'jose' with { 'resolution-mode': 'import' };
import { z } from 'zod';
import { thumbprint } from '../../contracts/ledger-tree/keys';
import type { Principal } from '../../contracts/principal';
import { privateKey } from '../signing/private-key';
import { ensureSecretFile, parseSecretJson } from '../signing/secret-file';

/** The key pair of a local issuer: Ed25519, as a private JWK with a `kid`. */
export type SigningKey = JWK & { readonly kid: string };

const signingKey = privateKey
  .and(z.object({ kid: z.string(), alg: z.literal('EdDSA'), use: z.literal('sig') }))
  .refine(key => key.kid === thumbprint(key), 'kid is the thumbprint');

/**
 * The issuer's key in the data folder, created on first use.
 * @throws UnusableSecretFile when the file is damaged
 */
export async function localKey(dataDir: string, issuer: Principal['issuer']): Promise<SigningKey> {
  const file = join(dataDir, 'keys', `${issuer}.json`);
  const text = await ensureSecretFile(file, async () => JSON.stringify(await generate()));
  const remedy = `Restore it from a backup, or remove it: the next start then creates a key, and refuses the tokens of the ${issuer} that were issued before.`;
  return parseSecretJson(
    { file, kind: 'the key pair of an issuer (Ed25519, as a JWK)', remedy },
    text,
    signingKey,
  );
}

/** The public part of a key, for verifiers. */
export function publicKeys({ d: _, ...key }: SigningKey): JSONWebKeySet {
  return { keys: [key] };
}

async function generate(): Promise<SigningKey> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const key = await exportJWK(pair.privateKey);
  return { ...key, alg: 'EdDSA', use: 'sig', kid: await calculateJwkThumbprint(key) };
}
