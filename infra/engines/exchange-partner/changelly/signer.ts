import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** Proves to the partner who sends a request. */
export interface Signer {
  /** `X-Api-Key`: SHA-256 of the public key (PKCS#1 DER), base64. */
  readonly apiKey: string;
  /** `X-Api-Signature`: RSASSA-PKCS1-v1_5 with SHA-256 over the bytes of the body, base64. */
  sign(body: Buffer): Promise<string>;
}

/** https://docs.changelly.com/development/authentication */
export function createSigner(privateKey: KeyObject): Signer {
  const publicKey = createPublicKey(privateKey).export({ type: 'pkcs1', format: 'der' });
  return {
    apiKey: createHash('sha256').update(publicKey).digest('base64'),
    sign: async body => (await signAside('RSA-SHA256', body, privateKey)).toString('base64'),
  };
}

/** Not in the thread of the program, where it would take longer than all else of an order. */
const signAside = promisify(sign);

/**
 * An RSA private key in PKCS#8: DER in hex, as the partner hands it out, or PEM, whose line breaks may be written as `\n`.
 * @returns null for another text
 */
export function parsePrivateKey(text: string): KeyObject | null {
  const trimmed = text.trim();
  try {
    const key = trimmed.startsWith('-----')
      ? createPrivateKey(trimmed.replaceAll('\\n', '\n'))
      : createPrivateKey({ key: Buffer.from(trimmed, 'hex'), format: 'der', type: 'pkcs8' });
    return key.asymmetricKeyType === 'rsa' ? key : null;
  } catch {
    // The error is dropped: it may quote the text.
    return null;
  }
}
