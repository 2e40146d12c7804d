import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JSONWebKeySet, JWK } from 'jose' with { 'resolution-mode': 'import' };
import type { Principal } from '../../contracts/principal';

/** A key pair of an issuer that this program plays itself: Ed25519, as a private JWK with a `kid`. */
export type SigningKey = JWK & { readonly kid: string };

/**
 * The issuer's key in the data folder, made on first use and readable by its owner only. Programs that start at the
 * same time end up with the same key.
 */
export async function localKey(dataDir: string, issuer: Principal['issuer']): Promise<SigningKey> {
  const file = join(dataDir, 'keys', `${issuer}.json`);
  const found = await read(file);
  if (found) return found;

  await mkdir(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
  const made = `${file}.${randomUUID()}`;
  await writeFile(made, JSON.stringify(await generate()), { mode: 0o600, flag: 'wx' });
  try {
    await link(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(made);
  }
  return (await read(file))!;
}

/** What verifiers may know of a key. */
export function publicKeys({ d: _, ...key }: SigningKey): JSONWebKeySet {
  return { keys: [key] };
}

async function read(file: string): Promise<SigningKey | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as SigningKey;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function generate(): Promise<SigningKey> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, alg: 'EdDSA', use: 'sig', kid: await calculateJwkThumbprint(key) };
}
