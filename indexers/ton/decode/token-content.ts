import { createHash } from 'node:crypto';
import { type Cell, Dictionary, type Slice } from '@ton/core';
import { isSmallTree } from '../../../contracts/chain/ton-cells';
import type { TokenAttributes, TokenContent } from '../../../contracts/chain/ton-token-observations';
import { readDecimals, readLine, readText, readUrl, TEXT_LIMITS } from '../../token-attributes';

const ON_CHAIN = 0x00;
const OFF_CHAIN = 0x01;
const SNAKE = 0x00;
const CHUNKED = 0x01;

/** Bytes of one value: an image may be stored on the chain, and is not read. */
const MAX_VALUE_BYTES = 16 * 1024;

const NOTHING: TokenAttributes = {
  name: null,
  symbol: null,
  description: null,
  image: null,
  decimals: null,
  customPayloadApiUri: null,
  mintlessMerkleDumpUri: null,
};

export const UNREADABLE_CONTENT: TokenContent = { kind: 'unreadable', uri: null, attributes: NOTHING };

/** The content of a token (TEP-64). Anyone may have written it, so whatever is malformed is left out. */
export function tokenContentOf(cell: Cell): TokenContent {
  if (!isSmallTree(cell)) return UNREADABLE_CONTENT;
  try {
    const slice = cell.beginParse();
    const prefix = slice.loadUint(8);
    if (prefix === OFF_CHAIN) {
      const uri = urlIn(snakeBytes(slice));
      return uri === null ? UNREADABLE_CONTENT : { kind: 'offchain', uri, attributes: NOTHING };
    }
    return prefix === ON_CHAIN ? onChain(slice) : UNREADABLE_CONTENT;
  } catch {
    return UNREADABLE_CONTENT;
  }
}

/** Values are in a reference, as TEP-64 says; some contracts store them in the dictionary itself. */
const VALUE = {
  serialize(): never {
    throw new Error('token content is only read');
  },
  parse: (slice: Slice): Slice =>
    slice.remainingBits === 0 && slice.remainingRefs === 1 ? slice.loadRef().beginParse() : slice.clone(),
};

function onChain(slice: Slice): TokenContent {
  const values = slice.loadDict(Dictionary.Keys.Buffer(32), VALUE);
  const bytes = (name: string): Buffer | null => {
    const value = values.get(createHash('sha256').update(name).digest());
    try {
      return value ? valueBytes(value) : null;
    } catch {
      return null;
    }
  };
  const text = (name: string): string | null => utf8(bytes(name));
  const uri = urlIn(bytes('uri'));
  return {
    kind: uri === null ? 'onchain' : 'semichain',
    uri,
    attributes: {
      name: readLine(text('name'), TEXT_LIMITS.name),
      symbol: readLine(text('symbol'), TEXT_LIMITS.symbol),
      description: readText(text('description'), TEXT_LIMITS.description),
      image: readUrl(text('image')),
      decimals: readDecimals(text('decimals')),
      customPayloadApiUri: readUrl(text('custom_payload_api_uri')),
      mintlessMerkleDumpUri: readUrl(text('mintless_merkle_dump_uri')),
    },
  };
}

function valueBytes(slice: Slice): Buffer | null {
  const format = slice.loadUint(8);
  if (format === SNAKE) return snakeBytes(slice);
  if (format !== CHUNKED) return null;
  const chunks = slice.loadDict(Dictionary.Keys.Uint(32), VALUE);
  const parts: Buffer[] = [];
  let size = 0;
  for (let n = 0; n < chunks.size && size <= MAX_VALUE_BYTES; n++) {
    const part = snakeBytes(chunks.get(n)!);
    parts.push(part);
    size += part.length;
  }
  return Buffer.concat(parts);
}

/** The bytes of a slice and of the chain of its first references. @throws Error when there are too many */
function snakeBytes(slice: Slice): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  for (let at: Slice | null = slice; at; at = at.remainingRefs > 0 ? at.loadRef().beginParse() : null) {
    const part = at.loadBuffer(Math.floor(at.remainingBits / 8));
    parts.push(part);
    size += part.length;
    if (size > MAX_VALUE_BYTES) throw new Error('a value of the token content is too long');
  }
  return Buffer.concat(parts);
}

function utf8(bytes: Buffer | null): string | null {
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const urlIn = (bytes: Buffer | null): string | null => readUrl(utf8(bytes));
