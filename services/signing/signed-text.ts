import { decodeAnyBase64 } from '../../contracts/encoding/base64';
import { Problem } from '../../contracts/problem/problem';
import { sha256 } from '../../contracts/encoding/sha256';
import { verifyEd25519 } from './ed25519';
import type { Reader } from '../watch-account';

/** What a wallet sends with what it has signed. */
export interface Signed {
  /** Base64 of 64 bytes. */
  readonly signature: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Hex; of a wallet that is not deployed. */
  readonly publicKey?: string | undefined;
}

/** As `FindWalletKey`. */
type FindKey<Wallet> = (wallet: Wallet, claimed: string | undefined, reader: Reader) => Promise<Buffer>;

export interface Signature {
  readonly signature: Buffer;
  readonly publicKey: Buffer;
  /** Unix seconds: the part of the text. */
  readonly signedAt: number;
}

/**
 * Checks that a wallet has signed a text, about now.
 * @param text without its time, which it is given
 * @throws Problem 403 `signature_expired` or `signature_invalid`, and those of `FindWalletKey`
 */
export async function expectSigned<Wallet>(
  { clock, findKey }: { readonly clock: () => Date; readonly findKey: FindKey<Wallet> },
  text: (timestamp: number) => string,
  wallet: Wallet,
  { signature: base64, timestamp, publicKey: claimed }: Signed,
  reader: Reader,
): Promise<Signature> {
  if (!isFresh(timestamp, clock().getTime()))
    throw new Problem(
      'signature_expired',
      'The timestamp (Unix seconds) is more than five minutes from the current time.',
    );
  const signature = decodeAnyBase64(base64)!;
  const publicKey = await findKey(wallet, claimed, reader);
  const signedAt = signedTime(text, timestamp, signature, publicKey);
  if (signedAt === null)
    throw new Problem(
      'signature_invalid',
      'The signature is not valid for this wallet and text: compare the signed text with the documentation.',
    );
  return { signature, publicKey, signedAt };
}

/** Seconds between the clocks of a wallet and of this program, either way, and for the way of a request. */
const MAX_CLOCK_DIFFERENCE = 300;

/** Whether a signed time (Unix seconds) is within five minutes of the clock (Unix ms). */
export function isFresh(timestamp: number, nowMs: number): boolean {
  return Math.abs(nowMs / 1_000 - timestamp) <= MAX_CLOCK_DIFFERENCE;
}

/**
 * The time (Unix seconds) that was signed: the one that was sent or the second before it, since wallets read the clock once
 * for the text and again for the body. Null when the key has signed neither. Wallets sign the SHA-256 of the text.
 */
export function signedTime(
  text: (timestamp: number) => string,
  timestamp: number,
  signature: Buffer,
  publicKey: Buffer,
): number | null {
  const isSigned = (at: number): boolean => verifyEd25519(sha256(text(at)), signature, publicKey);
  return [timestamp, timestamp - 1].find(isSigned) ?? null;
}
