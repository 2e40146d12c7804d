import { z } from 'zod';
import { decodeAnyBase64 } from '../../encoding/base64';

const SIGNATURE_BYTES = 64;

/** Ed25519, in base64. */
export const walletSignature = z
  .string()
  .max(100)
  .refine(text => decodeAnyBase64(text)?.length === SIGNATURE_BYTES, 'base64 of 64 bytes');

export const walletPublicKey = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, '32 bytes, hexadecimal')
  .meta({
    description:
      'Only for a wallet that is not deployed, or whose network this instance does not serve: its address must derive from this key',
  });

export const signedTimestamp = z
  .int()
  .min(0)
  .max(2 ** 40)
  .meta({
    description: 'Unix seconds, as signed or a second later; at most five minutes from the current time',
  });

/** Made by no wallet. */
export const EXAMPLE_SIGNATURE = Buffer.alloc(SIGNATURE_BYTES, 7).toString('base64');

/** What is wrong with a signature, or with the wallet that has made it. */
export const SIGNATURE_ERRORS = [
  'signature_invalid',
  'signature_expired',
  'wallet_key_unknown',
  'source_wrong_network',
] as const;
