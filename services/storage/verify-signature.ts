import type { Cell } from '@ton/core';
import { Problem } from '../../contracts/problem/problem';
import { verifySafeSign } from '../signing/safe-sign';

/**
 * A client signs for the next minute by its own clock, and repeats for ever what is refused: this leaves room for a clock that is
 * wrong by a day, as one that is set by hand in another time zone. It bounds how long somebody who has seen a signed read can
 * repeat it.
 */
const MAX_SKEW_SECONDS = 86_400;

interface Signed {
  readonly key: Buffer;
  readonly signature: Buffer;
  /** Unix seconds at which the signature expires. */
  readonly time: number;
  readonly cell: Cell;
}

/**
 * @param now milliseconds since the epoch
 * @throws Problem 400 when the expiry is too far ahead, 403 `signature_expired`, 403 `signature_invalid`
 */
export function verifySignature({ key, signature, time, cell }: Signed, now: number): void {
  const left = time - now / 1_000;
  if (left <= -MAX_SKEW_SECONDS)
    throw problem('/body/time', `expired ${Math.ceil(-left)} seconds ago`, 'signature_expired');
  if (left > MAX_SKEW_SECONDS)
    throw Problem.invalid('/body/time', `more than ${MAX_SKEW_SECONDS} seconds ahead`, 'too_far_ahead');
  if (!verifySafeSign(cell, signature, key))
    throw problem('/body/signature', 'not by this key, or of something else', 'signature_invalid');
}

const problem = (
  pointer: string,
  message: string,
  code: 'signature_expired' | 'signature_invalid',
): Problem => Problem.invalid(pointer, message, code, code);
