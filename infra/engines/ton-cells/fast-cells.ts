import { hash } from 'node:crypto';
import { BitBuilder, BitReader, type BitString } from '@ton/core';
// What is imported otherwise cannot be replaced.
/* eslint-disable @typescript-eslint/no-require-imports */
import bags = require('@ton/core/dist/boc/cell/serialization');
import hashes = require('@ton/core/dist/boc/cell/wonderCalculator');
import checksum = require('@ton/core/dist/utils/crc32c');
import sha256 = require('@ton/crypto/dist/primitives/sha256');
/* eslint-enable @typescript-eslint/no-require-imports */
import { fastReadBag, fastWriteBag } from './bags-of-cells';
import { bitsOf, type Bits } from './bits';
import { fastHashes } from './cell-hashes';
import { crc32c } from './crc32c';

interface Reader {
  readonly _bits: Bits;
}

interface Builder {
  readonly _buffer: Buffer;
  _length: number;
}

interface Methods {
  _preloadUint(this: Reader, bits: number, offset: number): bigint;
  writeBits(this: Builder, source: BitString): void;
}

const reader = BitReader.prototype as unknown as Pick<Methods, '_preloadUint'>;
const builder = BitBuilder.prototype as unknown as Pick<Methods, 'writeBits'>;
const bitByBit: Methods = { _preloadUint: reader._preloadUint, writeBits: builder.writeBits };
const { deserializeBoc, serializeBoc } = bags;
const { wonderCalculator } = hashes;

/** So many bits, and up to seven on both sides of them, are exact in a number. */
const MAX_NUMBER_BITS = 32;

/**
 * Makes `@ton/core` read and build cells by bytes instead of bit by bit, and hash them with the SHA-256 of Node instead of one in
 * JavaScript: that took most of the time of a cell. For the thread, at once and from then on.
 */
export function useFastCells(): void {
  sha256.sha256_sync = source => hash('sha256', source, 'buffer');
  reader._preloadUint = preloadUint;
  builder.writeBits = writeBits;
  checksum.crc32c = crc32c;
  bags.deserializeBoc = fastReadBag(deserializeBoc);
  bags.serializeBoc = fastWriteBag(serializeBoc);
  hashes.wonderCalculator = fastHashes(wonderCalculator);
}

/** What is out of bounds is left to the library, which says so. */
function preloadUint(this: Reader, bits: number, offset: number): bigint {
  const { _data: data, _offset: begin, _length: length } = this._bits;
  if (!(bits > 0 && offset >= 0 && offset + bits <= length))
    return bitByBit._preloadUint.call(this, bits, offset);
  const end = begin + offset + bits;
  const [firstByte, endByte, unused] = [(begin + offset) >> 3, (end + 7) >> 3, -end & 7];
  if (bits > MAX_NUMBER_BITS) {
    const whole = BigInt(`0x${data.subarray(firstByte, endByte).toString('hex')}`);
    return BigInt.asUintN(bits, whole >> BigInt(unused));
  }
  let whole = 0;
  for (let n = firstByte; n < endByte; n++) whole = whole * 256 + data[n]!;
  return BigInt(Math.floor(whole / 2 ** unused) % 2 ** bits);
}

/** What does not fit is left to the library, which says so. */
function writeBits(this: Builder, source: BitString): void {
  const { _data: data, _offset: begin, _length: length } = bitsOf(source);
  const target = this._buffer;
  if (this._length + length > target.length * 8) return bitByBit.writeBits.call(this, source);
  for (let done = 0; done < length; done += 8) {
    const [from, to, count] = [begin + done, this._length + done, Math.min(8, length - done)];
    const two = (data[from >> 3]! << 8) | (data[(from >> 3) + 1] ?? 0);
    const byte = (two >> (8 - (from & 7))) & (0xff00 >> count) & 0xff;
    target[to >> 3]! |= byte >> (to & 7);
    if ((to & 7) + count > 8) target[(to >> 3) + 1] = byte << (8 - (to & 7));
  }
  this._length += length;
}
