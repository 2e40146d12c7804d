import { beginCell, type Cell, type Slice } from '@ton/core';

/** `signed_request#73696e74` of wallet v5 r1: by an internal message, so that somebody else pays for it. */
const INTERNAL_SIGNED = 0x73696e74;
const SEND_MESSAGE = 0x0ec3c86d;
const SIGNATURE_BITS = 512;
/** Prefix, wallet id, expiry and seqno, two bits of the actions, and the signature. */
const BODY_BITS = 4 * 32 + 2 + SIGNATURE_BITS;
/** Of a quote there are two; nobody needs more than a few. */
const MAX_MESSAGES = 4;

/** A message that its wallet is asked to send. */
export interface RequestedMessage {
  /** Flags of `SENDRAWMSG`. */
  readonly mode: number;
  /** A `MessageRelaxed`. */
  readonly cell: Cell;
}

/** What the owner of a wallet v5 r1 has signed. */
export interface SignedRequest {
  readonly walletId: number;
  /** Unix seconds. */
  readonly validUntil: number;
  readonly seqno: number;
  /** In the order in which the wallet sends them. */
  readonly messages: readonly RequestedMessage[];
  /** 32 bytes: what the signature is over. */
  readonly signedHash: Buffer;
  /** 64 bytes. */
  readonly signature: Buffer;
  /** Of the whole body, hex. */
  readonly bodyHash: string;
}

/**
 * Reads the body of a request that is signed for an internal message (types.tlb of ton-blockchain/wallet-contract-v5). It is
 * stricter than the contract: one to four messages and nothing else, and no bit or reference that the contract would skip.
 * Null otherwise.
 */
export function readSignedRequest(body: Cell): SignedRequest | null {
  try {
    const slice = body.beginParse();
    if (slice.remainingBits !== BODY_BITS || slice.loadUint(32) !== INTERNAL_SIGNED) return null;
    const [walletId, validUntil, seqno] = [slice.loadUint(32), slice.loadUint(32), slice.loadUint(32)];
    const list = slice.loadMaybeRef();
    const hasOtherActions = slice.loadBit();
    if (!list || hasOtherActions || slice.remainingRefs > 0) return null;
    const messages = sentMessages(list);
    return (
      messages && {
        walletId,
        validUntil,
        seqno,
        messages,
        signedHash: withoutSignature(body).hash(),
        signature: slice.loadBuffer(SIGNATURE_BITS / 8),
        bodyHash: body.hash().toString('hex'),
      }
    );
  } catch {
    return null;
  }
}

function withoutSignature(body: Cell): Cell {
  const slice = body.beginParse();
  const signed = slice.loadBits(slice.remainingBits - SIGNATURE_BITS);
  const cell = beginCell().storeBits(signed);
  for (const ref of body.refs) cell.storeRef(ref);
  return cell.endCell();
}

/** `out_list$_ prev:^OutList action:OutAction`, the first action deepest. */
function sentMessages(list: Cell): RequestedMessage[] | null {
  const messages: RequestedMessage[] = [];
  let rest = list.beginParse();
  while (!isEmpty(rest)) {
    if (messages.length === MAX_MESSAGES) return null;
    const previous = rest.loadRef();
    if (rest.loadUint(32) !== SEND_MESSAGE) return null;
    messages.unshift({ mode: rest.loadUint(8), cell: rest.loadRef() });
    if (!isEmpty(rest)) return null;
    rest = previous.beginParse();
  }
  return messages.length > 0 ? messages : null;
}

const isEmpty = ({ remainingBits, remainingRefs }: Slice): boolean =>
  remainingBits === 0 && remainingRefs === 0;
