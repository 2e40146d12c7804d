import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { base64urlOf } from '../../contracts/base64';
import { publicKey, thumbprint, type PublicKey, type PublicKeySet } from '../../contracts/ledger-tree/keys';
import { ensureSecretFile } from '../ensure-secret-file';

/** Signs proofs and checkpoints. */
export interface Signer {
  /** Thumbprint (RFC 7638) of the current key. */
  readonly keyId: string;
  readonly key: PublicKey;
  /** Ed25519 (RFC 8032), in base64url. */
  sign(bytes: Buffer): string;
}

export interface LedgerKeys {
  /** The current key; changes after a rotation, also by another program. @throws UnusableKeys */
  signer(): Signer;
  /** Every key that ever signed, the current one first. @throws UnusableKeys */
  published(): PublicKeySet;
}

/** The key file cannot be read, or has no private key. */
export class UnusableKeys extends Error {
  override readonly name = 'UnusableKeys';
}

const privateKey = publicKey.extend({ d: base64urlOf(32) });
const storedKeys = z.object({
  keys: z.tuple([privateKey], privateKey.partial({ d: true })),
});
type StoredKeys = z.output<typeof storedKeys>;

interface Loaded {
  readonly version: string;
  readonly signer: Signer;
  readonly published: PublicKeySet;
}

/** Ledger keys in a file: a JWK set (RFC 7517) whose first key has its private part and signs. Reloaded when the file changes. */
export function openLedgerKeys(file: string): LedgerKeys {
  let loaded: Loaded | null = null;
  const load = (): Loaded => {
    try {
      const { mtimeMs, ino } = statSync(file);
      const version = `${ino} ${mtimeMs}`;
      if (loaded?.version !== version) loaded = { version, ...usable(readKeys(file)) };
      return loaded;
    } catch (error) {
      throw new UnusableKeys(
        `${file}: ${error instanceof z.ZodError ? 'not a set of ledger keys' : String(error)}`,
      );
    }
  };
  return { signer: () => load().signer, published: () => load().published };
}

/** Creates the file with a first key if it does not exist. @returns the content of the file */
export function makeLedgerKeys(file: string): Promise<string> {
  return ensureSecretFile(file, () => `${JSON.stringify({ keys: [newKey()] })}\n`);
}

/**
 * Adds a new key, which signs from now on. The old ones stay in the file without their private part: their signatures stay
 * valid.
 * @returns thumbprint of the new key
 */
export async function rotateLedgerKeys(file: string): Promise<string> {
  const { keys } = readKeys(file);
  const fresh = newKey();
  const content = `${JSON.stringify({ keys: [fresh, ...keys.map(({ d: _, ...known }) => known)] })}\n`;
  await writeFileAtomic(file, content, { mode: 0o600 });
  return thumbprint(fresh);
}

const readKeys = (file: string): StoredKeys =>
  storedKeys.parse(JSON.parse(readFileSync(file, 'utf8')) as unknown);

function newKey(): PublicKey & { readonly d: string } {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return privateKey.parse(jwk);
}

function usable({ keys }: StoredKeys): Omit<Loaded, 'version'> {
  const [{ d, ...key }] = keys;
  const keyObject: KeyObject = createPrivateKey({ key: { ...key, d }, format: 'jwk' });
  return {
    signer: {
      keyId: thumbprint(key),
      key,
      sign: bytes => sign(null, bytes, keyObject).toString('base64url'),
    },
    published: {
      keys: keys.map(({ kty, crv, x }) => ({
        kty,
        crv,
        x,
        kid: thumbprint({ kty, crv, x }),
        alg: 'EdDSA' as const,
        use: 'sig' as const,
      })) as PublicKeySet['keys'],
    },
  };
}
