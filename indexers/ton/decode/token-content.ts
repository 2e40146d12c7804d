import { createHash } from 'node:crypto';
import { type Cell, Dictionary, type Slice } from '@ton/core';
import { isSmallTree } from '../../../contracts/chain/ton-cells';
import type { TokenAttributes, TokenContent } from '../../../contracts/chain/ton-token-observations';
import { MAX_IMAGE_BYTES } from '../../image-type';
import {
  containedImage,
  imageFields,
  type ReadValue,
  readDecimals,
  readLine,
  readText,
  readUrl,
  TEXT_LIMITS,
  utf8,
} from '../../token-attributes';

const ON_CHAIN = 0x00;
const OFF_CHAIN = 0x01;
const SNAKE = 0x00;
const CHUNKED = 0x01;

/** Bytes of one value that is a text. */
const MAX_VALUE_BYTES = 16 * 1024;
/** Of an image, which may be in base64. */
const MAX_IMAGE_VALUE_BYTES = Math.ceil((MAX_IMAGE_BYTES * 4) / 3) + 64;

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

/** The image that a content cell itself contains; null when there is none. */
export function imageInContent(cell: Cell): Buffer | null {
  if (!isSmallTree(cell)) return null;
  try {
    const slice = cell.beginParse();
    return slice.loadUint(8) === ON_CHAIN ? containedImage(valuesIn(slice)) : null;
  } catch {
    return null;
  }
}

/** The content of a token (TEP-64). Anyone may have written it, so whatever is malformed is left out. */
export function tokenContentOf(cell: Cell): TokenContent {
  if (!isSmallTree(cell)) return UNREADABLE_CONTENT;
  try {
    const slice = cell.beginParse();
    const prefix = slice.loadUint(8);
    if (prefix === OFF_CHAIN) {
      const uri = urlIn(snakeBytes(slice, MAX_VALUE_BYTES));
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

const IMAGES: readonly string[] = ['image', 'image_data'];

/** Reads the values of on-chain content by their names. @throws Error when it is none */
function valuesIn(slice: Slice): ReadValue {
  const values = slice.loadDict(Dictionary.Keys.Buffer(32), VALUE);
  return name => {
    const value = values.get(createHash('sha256').update(name).digest());
    try {
      const max = IMAGES.includes(name) ? MAX_IMAGE_VALUE_BYTES : MAX_VALUE_BYTES;
      return value ? valueBytes(value.clone(), max) : null;
    } catch {
      return null;
    }
  };
}

function onChain(slice: Slice): TokenContent {
  const bytes = valuesIn(slice);
  const text = (name: string): string | null => utf8(bytes(name));
  const uri = urlIn(bytes('uri'));
  return {
    kind: uri === null ? 'onchain' : 'semichain',
    uri,
    attributes: {
      name: readLine(text('name'), TEXT_LIMITS.name),
      symbol: readLine(text('symbol'), TEXT_LIMITS.symbol),
      description: readText(text('description'), TEXT_LIMITS.description),
      ...imageFields(bytes),
      decimals: readDecimals(text('decimals')),
      customPayloadApiUri: readUrl(text('custom_payload_api_uri')),
      mintlessMerkleDumpUri: readUrl(text('mintless_merkle_dump_uri')),
    },
  };
}

function valueBytes(slice: Slice, max: number): Buffer | null {
  const format = slice.loadUint(8);
  if (format === SNAKE) return snakeBytes(slice, max);
  if (format !== CHUNKED) return null;
  const chunks = slice.loadDict(Dictionary.Keys.Uint(32), VALUE);
  const parts: Buffer[] = [];
  let size = 0;
  for (let n = 0; n < chunks.size && size <= max; n++) {
    const part = snakeBytes(chunks.get(n)!, max);
    parts.push(part);
    size += part.length;
  }
  return Buffer.concat(parts);
}

/** The bytes of a slice and of the chain of its first references. @throws Error when there are too many */
function snakeBytes(slice: Slice, max: number): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  for (let at: Slice | null = slice; at; at = at.remainingRefs > 0 ? at.loadRef().beginParse() : null) {
    const part = at.loadBuffer(Math.floor(at.remainingBits / 8));
    parts.push(part);
    size += part.length;
    if (size > max) throw new Error('a value of the token content is too long');
  }
  return Buffer.concat(parts);
}

const urlIn = (bytes: Buffer | null): string | null => readUrl(utf8(bytes));
