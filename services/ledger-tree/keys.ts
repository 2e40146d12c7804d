import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { publicKey, thumbprint, type PublicKey, type PublicKeySet } from '../../contracts/ledger-tree/keys';
import { privateKey } from '../signing/private-key';
import { ensureSecretFile, parseSecretJson, UnusableSecretFile } from '../signing/secret-file';

/** Signs proofs and checkpoints. */
export interface Signer {
  /** Thumbprint (RFC 7638) of the current key. */
  readonly keyId: string;
  readonly key: PublicKey;
  /** Ed25519 (RFC 8032), in base64url. */
  sign(bytes: Buffer): string;
}

export interface LedgerKeys {
  /** The current key; changes after a rotation, also by another program. @throws UnusableSecretFile */
  signer(): Signer;
  /** Every key that ever signed, the current one first. @throws UnusableSecretFile */
  published(): PublicKeySet;
}

const storedKeys = z.object({ keys: z.tuple([privateKey], publicKey) });
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
    const { mtimeMs, ino } = reading(file, () => statSync(file));
    const version = `${ino} ${mtimeMs}`;
    if (loaded?.version !== version) loaded = { version, ...usable(readKeys(file)) };
    return loaded;
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
 * @throws UnusableSecretFile
 */
export async function rotateLedgerKeys(file: string): Promise<string> {
  const [{ d: _, ...last }, ...earlier] = readKeys(file).keys;
  const fresh = newKey();
  const content = `${JSON.stringify({ keys: [fresh, last, ...earlier] })}\n`;
  await writeFileAtomic(file, content, { mode: 0o600 });
  return thumbprint(fresh);
}

const REMEDY =
  'Restore it from a backup. Without one, remove it: the next start then creates a key, and what was signed before can be verified only by those who have the public keys of then.';

function readKeys(file: string): StoredKeys {
  const text = reading(file, () => readFileSync(file, 'utf8'));
  return parseSecretJson(
    { file, kind: 'the keys of a ledger (Ed25519, as a JWK set)', remedy: REMEDY },
    text,
    storedKeys,
  );
}

/** @throws UnusableSecretFile */
function reading<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT'
      ? new UnusableSecretFile(file, 'there is no such file', '`tidemark keys rotate` creates it.')
      : new UnusableSecretFile(file, `the file cannot be read (${code})`, REMEDY);
  }
}

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
