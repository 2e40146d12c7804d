import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { privateKey } from '../../signing/private-key';
import { ensureSecretFile, parseSecretJson } from '../../signing/secret-file';
import type { WalletKey } from '../../wallet-v5/wallet-v5';

const REMEDY =
  'Restore it from a backup. Without one, remove it: the next start then creates a key, whose wallet has no coins; what the wallet of the other one has is lost.';

/** The key of the wallet in a file (Ed25519, as a JWK), which is created where there is none. @throws UnusableSecretFile */
export async function openAnchorKey(file: string): Promise<WalletKey> {
  const text = await ensureSecretFile(file, () => `${JSON.stringify(newKey())}\n`);
  const jwk = parseSecretJson(
    { file, kind: 'the key of a wallet (Ed25519, as a JWK)', remedy: REMEDY },
    text,
    privateKey,
  );
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return { publicKey: Buffer.from(jwk.x, 'base64url'), sign: hash => sign(null, hash, key) };
}

const newKey = (): object =>
  privateKey.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
