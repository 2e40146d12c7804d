import { decodeAnyBase64 } from '../encoding/base64';

const BYTES = 32;

/**
 * A public key of 32 bytes, given in base64 of either alphabet, with or without padding, in the one form used inside:
 * base64url without padding (RFC 4648, section 5). Null when it is not one.
 */
export function parsePublicKey(text: string): string | null {
  const bytes = decodeAnyBase64(text);
  return bytes?.length === BYTES ? bytes.toString('base64url') : null;
}
