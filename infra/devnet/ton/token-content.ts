import { createHash } from 'node:crypto';
import { type Cell, Dictionary, beginCell } from '@ton/core';

const ON_CHAIN = 0;
const SNAKE = 0;

const key = (attribute: string): Buffer => createHash('sha256').update(attribute).digest();
const value = (text: string): Cell => beginCell().storeUint(SNAKE, 8).storeStringTail(text).endCell();

/** On-chain content of TEP-64: a dictionary from the hash of an attribute's name to its value in snake format. */
export function onChainContent(metadata: Readonly<Record<string, string | number>>): Cell {
  const attributes = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, text] of Object.entries(metadata)) attributes.set(key(name), value(String(text)));
  return beginCell().storeUint(ON_CHAIN, 8).storeDict(attributes).endCell();
}
