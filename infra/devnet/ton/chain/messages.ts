import { Cell, type Message, loadMessage } from '@ton/core';
import { isSmallTree } from '../../../../contracts/chain/ton-cells';

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
  try {
    const [root, ...others] = Cell.fromBoc(boc);
    if (root && others.length === 0) return root;
  } catch {
    throw new InvalidMessage('boc is not a bag of cells');
  }
  throw new InvalidMessage('boc must have one root');
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
  if (!isSmallTree(cell)) throw new InvalidMessage('boc has too many cells');
  const { info } = parseMessage(cell);
  if (info.type !== 'external-in') throw new InvalidMessage('boc must hold an external-in message');
  if (info.dest.workChain !== 0 && info.dest.workChain !== -1) {
    throw new InvalidMessage(`workchain ${info.dest.workChain} does not exist`);
  }
  return { cell, destination: info.dest.toRawString() };
}
