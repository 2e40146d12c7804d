import type { Cell, Slice } from '@ton/core';

/** Wallet v5: requests signed by the owner, carried by an external or by a relayer's internal message, or by an extension. */
const SIGNED_EXTERNAL = 0x7369676e;
const SIGNED_INTERNAL = 0x73696e74;
const EXTENSION = 0x6578746e;

const SIGNATURE = 512;
const MODE_PER_MESSAGE = 8;

/** Wallet v5 r1 has an id of 32 bits, the beta one of 80; after the seqno only actions and the signature follow. */
function v5Seqno(body: Slice): number | null {
  const beta = body.remainingBits === 32 + 80 + 32 + 32 + 1 + SIGNATURE;
  const before = 32 + (beta ? 80 : 32) + 32;
  return body.remainingBits < before + 32 + SIGNATURE ? null : body.skip(before).loadUint(32);
}

/**
 * Wallets v1 to v4 sign only fixed fields and a mode for each message, so the length of the body identifies the version.
 * Maps the bits of the body without modes to the bits before the sequence number.
 */
const BEFORE_SEQNO: Readonly<Record<number, number>> = {
  [SIGNATURE + 32]: SIGNATURE, // v1: seqno
  [SIGNATURE + 64]: SIGNATURE, // v2: seqno, valid until
  [SIGNATURE + 96]: SIGNATURE + 64, // v3: wallet id, valid until, seqno
  [SIGNATURE + 104]: SIGNATURE + 64, // v4: the same and an op
};

/** The sequence number that the owner of a wallet signed in the body of an external message, or null. */
export function externalSeqno(cell: Cell): number | null {
  if (cell.isExotic) return null;
  const body = cell.beginParse();
  if (body.remainingBits >= 32 && body.preloadUint(32) === SIGNED_EXTERNAL) return v5Seqno(body);
  const skip = BEFORE_SEQNO[body.remainingBits - MODE_PER_MESSAGE * body.remainingRefs];
  return skip === undefined ? null : body.skip(skip).loadUint(32);
}

/** As `externalSeqno`, for a request in an internal message (gasless transfers); null for other messages. */
export function relayedSeqno(cell: Cell): number | null {
  if (cell.isExotic) return null;
  const body = cell.beginParse();
  return body.remainingBits >= 32 && body.preloadUint(32) === SIGNED_INTERNAL ? v5Seqno(body) : null;
}

/** True for a request of an extension of a v5 wallet. */
export function isExtensionRequest(op: number | null): boolean {
  return op === EXTENSION;
}
