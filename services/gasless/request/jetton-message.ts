import {
  Address,
  beginCell,
  type Cell,
  type CommonMessageInfoRelaxedInternal,
  contractAddress,
  loadMessageRelaxed,
  storeStateInit,
} from '@ton/core';
import { JETTON_OP } from '../../../contracts/chain/ton-jetton';

/** A message of a wallet to its jetton wallet that asks for a transfer (TEP-74). Addresses are raw. */
export interface JettonMessage {
  /** The jetton wallet. */
  readonly to: string;
  /** Nanotons. */
  readonly value: bigint;
  readonly bounce: boolean;
  /** Of a jetton wallet that does not exist yet, as of a mintless jetton. */
  readonly init: Cell | null;
  readonly body: Cell;
  readonly transfer: JettonTransfer;
}

export interface JettonTransfer {
  readonly queryId: bigint;
  /** Smallest units. */
  readonly amount: bigint;
  readonly destination: string;
  /** Gets what is left of the coins; null: nobody. */
  readonly response: string | null;
  readonly customPayload: Cell | null;
  /** Nanotons for the destination. */
  readonly forwardAmount: bigint;
  /** Its content alone: the wire has it inline or in a reference, and applications change one into the other. */
  readonly forwardPayload: Cell;
}

/**
 * Reads a `MessageRelaxed`. Null for every other message, for one that names a sender or carries an extra currency, and for a
 * transfer with anything behind it.
 */
export function readJettonMessage(cell: Cell): JettonMessage | null {
  try {
    const { info, init, body } = loadMessageRelaxed(cell.beginParse());
    if (info.type !== 'internal' || !isPlain(info)) return null;
    const transfer = readTransfer(body);
    if (!transfer) return null;
    if (init && (!init.code || !init.data || !contractAddress(0, init).equals(info.dest))) return null;
    return {
      to: info.dest.toRawString(),
      value: info.value.coins,
      bounce: info.bounce,
      init: init ? beginCell().store(storeStateInit(init)).endCell() : null,
      body,
      transfer,
    };
  } catch {
    return null;
  }
}

/** As libraries make them: what the wallet or a validator fills in is not set. */
function isPlain(info: CommonMessageInfoRelaxedInternal): boolean {
  const { src, value, ihrDisabled, bounced, ihrFee, forwardFee, createdLt, createdAt } = info;
  const isUnset = !src && ihrFee === 0n && forwardFee === 0n && createdLt === 0n && createdAt === 0;
  return isUnset && ihrDisabled && !bounced && !value.other?.size;
}

/** `transfer#0f8a7ea5` of TEP-74. @throws when it ends early */
export function readTransfer(body: Cell): JettonTransfer | null {
  const slice = body.beginParse();
  if (slice.loadUint(32) !== JETTON_OP.transfer) return null;
  const fields = {
    queryId: slice.loadUintBig(64),
    amount: slice.loadCoins(),
    destination: slice.loadAddress().toRawString(),
    response: slice.loadMaybeAddress()?.toRawString() ?? null,
    customPayload: slice.loadMaybeRef(),
    forwardAmount: slice.loadCoins(),
  };
  if (!slice.loadBit()) return { ...fields, forwardPayload: slice.asCell() };
  const forwardPayload = slice.loadRef();
  return slice.remainingBits === 0 && slice.remainingRefs === 0 ? { ...fields, forwardPayload } : null;
}

/** The body of a transfer; the forward payload in a reference, or with null nothing in its place, in the shortest form. */
export function transferBody(
  transfer: Omit<JettonTransfer, 'forwardPayload'>,
  forwardPayload: Cell | null,
): Cell {
  const { queryId, amount, destination, response, customPayload, forwardAmount } = transfer;
  return beginCell()
    .storeUint(JETTON_OP.transfer, 32)
    .storeUint(queryId, 64)
    .storeCoins(amount)
    .storeAddress(Address.parseRaw(destination))
    .storeAddress(response === null ? null : Address.parseRaw(response))
    .storeMaybeRef(customPayload)
    .storeCoins(forwardAmount)
    .storeMaybeRef(forwardPayload)
    .endCell();
}

/** Whether two transfers ask for the same, but for the amount. */
export function isSameButAmount(one: JettonTransfer, other: JettonTransfer): boolean {
  return (
    one.queryId === other.queryId &&
    one.destination === other.destination &&
    one.response === other.response &&
    isSameCell(one.customPayload, other.customPayload) &&
    one.forwardAmount === other.forwardAmount &&
    isSameCell(one.forwardPayload, other.forwardPayload)
  );
}

export function isSameCell(one: Cell | null, other: Cell | null): boolean {
  return one && other ? one.equals(other) : one === other;
}
