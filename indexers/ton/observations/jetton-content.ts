import { createHash } from 'node:crypto';
import { Dictionary, type Cell } from '@ton/core';

/** Where the metadata of a jetton is (TEP-64), and what on-chain content says; attributes that are missing are null. */
export interface JettonContent {
  readonly content:
    { readonly type: 'offchain'; readonly link: string } | { readonly type: 'onchain' } | null;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly image: string | null;
}

const ON_CHAIN = 0;
const OFF_CHAIN = 1;
const SNAKE = 0;
const CHUNKED = 1;
/** Of a text; more is cut off. A contract may hold megabytes. */
const MAX_BYTES = 2_048;

const NOTHING: JettonContent = { content: null, name: null, symbol: null, image: null };

/** Never throws: anybody deploys contracts, and content of another form is common. */
export function readJettonContent(cell: Cell): JettonContent {
  try {
    const slice = cell.beginParse();
    const type = slice.loadUint(8);
    if (type === OFF_CHAIN) {
      const link = text(snake(cell, 8));
      return link === null ? NOTHING : { ...NOTHING, content: { type: 'offchain', link } };
    }
    if (type !== ON_CHAIN) return NOTHING;
    const attributes = slice.loadDict(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
    const attribute = (name: string): string | null => {
      const value = attributes.get(createHash('sha256').update(name).digest());
      return value ? attributeText(value) : null;
    };
    return {
      content: { type: 'onchain' },
      name: attribute('name'),
      symbol: attribute('symbol'),
      image: attribute('image'),
    };
  } catch {
    return NOTHING;
  }
}

function attributeText(value: Cell): string | null {
  try {
    const slice = value.beginParse();
    const format = slice.loadUint(8);
    if (format === SNAKE) return text(snake(value, 8));
    if (format !== CHUNKED) return null;
    const chunks = slice.loadDict(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
    const parts: Buffer[] = [];
    for (let at = 0, bytes = 0; bytes < MAX_BYTES && chunks.has(at); at++) {
      parts.push(snake(chunks.get(at)!, 0));
      bytes += parts.at(-1)!.length;
    }
    return text(Buffer.concat(parts).subarray(0, MAX_BYTES));
  } catch {
    return null;
  }
}

/** The bytes of a cell after `skip` bits, continued in its first reference. */
function snake(first: Cell, skip: number): Buffer {
  const parts: Buffer[] = [];
  let bytes = 0;
  for (let cell: Cell | undefined = first; cell && bytes < MAX_BYTES; cell = cell.refs[0]) {
    const slice = cell.beginParse();
    if (cell === first) slice.skip(skip);
    parts.push(slice.loadBuffer(Math.floor(slice.remainingBits / 8)));
    bytes += parts.at(-1)!.length;
  }
  return Buffer.concat(parts).subarray(0, MAX_BYTES);
}

/** UTF-8 without control characters; null when nothing is left. */
function text(bytes: Buffer): string | null {
  return (
    bytes
      .toString('utf8')
      .replace(/\p{Cc}/gu, '')
      .trim() || null
  );
}
