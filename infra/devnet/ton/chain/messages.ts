import { Cell, type Message, loadMessage } from '@ton/core';

/** A message on its way to an account. */
export interface Inbound {
  readonly cell: Cell;
  /** Raw address. */
  readonly destination: string;
}

/** The message is not one that a network takes from outside. The text is fit for the sender. */
export class UnfitMessage extends Error {
  override readonly name = 'UnfitMessage';
}

function parseRoot(boc: Buffer): Cell {
  try {
    const [root, ...others] = Cell.fromBoc(boc);
    if (root && others.length === 0) return root;
  } catch {
    throw new UnfitMessage('boc is not a bag of cells');
  }
  throw new UnfitMessage('boc must have one root');
}

function parseMessage(cell: Cell): Message {
  try {
    return loadMessage(cell.beginParse());
  } catch {
    throw new UnfitMessage('boc does not hold a message');
  }
}

/** Reads an external message. Throws `UnfitMessage`. */
export function parseExternal(boc: Buffer): Inbound {
  const cell = parseRoot(boc);
  const { info } = parseMessage(cell);
  if (info.type !== 'external-in') throw new UnfitMessage('boc must hold an external-in message');
  if (info.dest.workChain !== 0 && info.dest.workChain !== -1) {
    throw new UnfitMessage(`workchain ${info.dest.workChain} does not exist`);
  }
  return { cell, destination: info.dest.toRawString() };
}
