import { Cell, type Message, loadMessage } from '@ton/core';
import { rootOfSmallBag } from '../../../../contracts/chain/ton-cells';

/** A message to an account. */
export interface Inbound {
  readonly cell: Cell;
  /** Raw address. */
  readonly destination: string;
}

/** Not a valid external message. Its text may be shown to the sender. */
export class InvalidMessage extends Error {
  override readonly name = 'UnfitMessage';
}

function parseRoot(boc: Buffer): Cell {
  if (!rootOfSmallBag(boc))
    throw new InvalidMessage('boc must be a bag of cells with one root and not too many cells');
  try {
    return Cell.fromBoc(boc)[0]!;
  } catch {
    throw new InvalidMessage('boc is not a bag of cells');
  }
}

function parseMessage(cell: Cell): Message {
  try {
    return loadMessage(cell.beginParse());
  } catch {
    throw new InvalidMessage('boc does not hold a message');
  }
}

/** Reads an external message. @throws InvalidMessage */
export function parseExternal(boc: Buffer): Inbound {
  const cell = parseRoot(boc);
  const { info } = parseMessage(cell);
  if (info.type !== 'external-in') throw new InvalidMessage('boc must hold an external-in message');
  if (info.dest.workChain !== 0 && info.dest.workChain !== -1) {
    throw new InvalidMessage(`workchain ${info.dest.workChain} does not exist`);
  }
  return { cell, destination: info.dest.toRawString() };
}
