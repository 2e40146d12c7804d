import { createPrivateKey, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { publicKey, thumbprint, type PublicKey, type PublicKeySet } from '../../contracts/seal/keys';
import { madeOnce } from '../made-once';

/** Signs what is said of the ledger. */
export interface Signer {
  /** Thumbprint (RFC 7638) of the key that signs now. */
  readonly keyId: string;
  readonly key: PublicKey;
  /** Ed25519 (RFC 8032), in base64url. */
  sign(bytes: Buffer): string;
}

export interface LedgerKeys {
  /** The key that signs now: another one after a rotation, also by another program. @throws UnusableKeys */
  signer(): Signer;
  /** Every key that ever signed, the present one first. @throws UnusableKeys */
  published(): PublicKeySet;
}

/** The file of keys cannot be read, or holds none that signs. */
export class UnusableKeys extends Error {
  override readonly name = 'UnusableKeys';
}

const storedKeys = z.object({
  keys: z.tuple([publicKey.extend({ d: z.string() })], publicKey.extend({ d: z.string().optional() })),
});
type StoredKeys = z.output<typeof storedKeys>;

interface Loaded {
  readonly version: string;
  readonly signer: Signer;
  readonly published: PublicKeySet;
}

/** Ledger keys in a file: a JWK set (RFC 7517) whose first key holds its private part and signs. Read again when it changes. */
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

/** Makes the file with a first key where there is none. */
export function makeLedgerKeys(file: string): Promise<string> {
  return madeOnce(file, () => `${JSON.stringify({ keys: [newKey()] })}\n`);
}

/**
 * From now on a new key signs. The old ones stay in the file without their private part: what they signed stays valid.
 * @returns thumbprint of the new key
 */
export async function rotateLedgerKeys(file: string): Promise<string> {
  const { keys } = readKeys(file);
  const fresh = newKey();
  const beside = `${file}.${randomUUID()}`;
  try {
    const content = `${JSON.stringify({ keys: [fresh, ...keys.map(({ d: _, ...known }) => known)] })}\n`;
    await writeFile(beside, content, { mode: 0o600, flag: 'wx', flush: true });
    await rename(beside, file);
  } finally {
    await rm(beside, { force: true });
  }
  return thumbprint(fresh);
}

const readKeys = (file: string): StoredKeys =>
  storedKeys.parse(JSON.parse(readFileSync(file, 'utf8')) as unknown);

function newKey(): PublicKey & { readonly d: string } {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return publicKey.extend({ d: z.string() }).parse(jwk);
}

function usable({ keys }: StoredKeys): Omit<Loaded, 'version'> {
  const [{ d, ...key }] = keys;
  const secret: KeyObject = createPrivateKey({ key: { ...key, d }, format: 'jwk' });
  return {
    signer: {
      keyId: thumbprint(key),
      key,
      sign: bytes => sign(null, bytes, secret).toString('base64url'),
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
