import { sha256 } from '../../contracts/sha256';
import { verifyEd25519 } from '../ed25519';

/** Seconds between the clocks of a wallet and of this program, either way, and for the way of a request. */
const MAX_CLOCK_DIFFERENCE = 300;

export function isFresh(timestamp: number, nowMs: number): boolean {
  return Math.abs(nowMs / 1_000 - timestamp) <= MAX_CLOCK_DIFFERENCE;
}

interface SignedCreate {
  /** Addresses as they were sent. */
  readonly requestor: string;
  readonly confirmant: string;
  readonly message?: string | null | undefined;
  readonly expirationSeconds: number;
  readonly metadata?: unknown;
}

/** The text that a requestor signs, without its time: what comes before it and after it. */
export function createText(request: SignedCreate): (timestamp: number) => string {
  const { requestor, confirmant, message, expirationSeconds, metadata } = request;
  const json = metadata ? JSON.stringify(metadata) : '';
  return timestamp =>
    ['WALLET_REQUEST_CREATE', requestor, confirmant, message ?? '', expirationSeconds, timestamp, json].join(
      '|',
    );
}

interface SignedResponse {
  readonly requestId: string;
  /** As it was sent. */
  readonly walletAddress: string;
  readonly status: 'confirmed' | 'declined';
  readonly response?: string | null | undefined;
}

/** The text that a confirmant signs. */
export function respondText(signed: SignedResponse): (timestamp: number) => string {
  const { requestId, walletAddress, status, response } = signed;
  return timestamp =>
    ['WALLET_REQUEST_RESPOND', requestId, walletAddress, status, response ?? '', timestamp].join('|');
}

/**
 * The time (Unix seconds) that was signed: the one that was sent or the second before it, since wallets read the clock once
 * for the text and again for the body. Null when the key has signed neither.
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
