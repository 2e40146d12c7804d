import { createHash } from 'node:crypto';
import { type Address, beginCell, type Builder, type Cell, contractAddress, Dictionary } from '@ton/core';
import { MINTER_CODE, WALLET_CODE } from '../../infra/devnet/ton/jetton/code';
import type { JettonMaster } from '../../infra/devnet/ton/jetton/jetton';

/** Off-chain content of TEP-64: the URL of a document with the attributes. */
export function offChainContent(uri: string): Cell {
  return beginCell().storeUint(1, 8).storeStringTail(uri).endCell();
}

const BYTES_PER_CELL = 120;

/** Bytes over as many cells as they need, the first of which begins with `start`. */
function tail(start: Builder, bytes: Buffer): Cell {
  const cells = Array.from({ length: Math.max(1, Math.ceil(bytes.length / BYTES_PER_CELL)) }, (_, at) =>
    bytes.subarray(at * BYTES_PER_CELL, (at + 1) * BYTES_PER_CELL),
  );
  return cells.reduceRight<Cell | null>((next, part, at) => {
    const builder = (at === 0 ? start : beginCell()).storeBuffer(part);
    return (next ? builder.storeRef(next) : builder).endCell();
  }, null)!;
}

/** A value of TEP-64 in snake format. */
export function snakeValue(bytes: Buffer | string): Cell {
  return tail(beginCell().storeUint(0, 8), Buffer.from(bytes));
}

/** A value of TEP-64 in chunks of so many bytes. */
export function chunkedValue(bytes: Buffer, size = 1_000): Cell {
  const chunks = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  for (let at = 0; at * size < bytes.length; at++)
    chunks.set(at, tail(beginCell(), bytes.subarray(at * size, (at + 1) * size)));
  return beginCell().storeUint(1, 8).storeDict(chunks).endCell();
}

/** On-chain content of TEP-64, of values as they are on the chain. */
export function contentOfValues(values: Readonly<Record<string, Cell>>): Cell {
  const attributes = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, value] of Object.entries(values))
    attributes.set(createHash('sha256').update(name).digest(), value);
  return beginCell().storeUint(0, 8).storeDict(attributes).endCell();
}

/** A master of the local network with any content cell. */
export function masterWithContent(admin: Address, content: Cell): JettonMaster {
  const data = beginCell()
    .storeCoins(0)
    .storeAddress(admin)
    .storeRef(content)
    .storeRef(WALLET_CODE)
    .endCell();
  const init = { code: MINTER_CODE, data };
  return { address: contractAddress(0, init), init };
}
