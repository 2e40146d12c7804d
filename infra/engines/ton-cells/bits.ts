import type { BitString } from '@ton/core';

/** A bit string as the library has it: the bits in a buffer, and where they begin. */
export interface Bits {
  readonly _data: Buffer;
  readonly _offset: number;
  readonly _length: number;
}

export function bitsOf(bits: BitString): Bits {
  return bits as unknown as Bits;
}

/** The byte that tells of a cell how many bits it has: twice the full bytes, and one more for a last one that is not full. */
export function bitsDescriptor({ length }: BitString): number {
  return ((length + 7) >> 3) + (length >> 3);
}

/**
 * Writes bits as bags and hashes of cells have them: after a last byte that is not full stand a one and zeros.
 * @returns where the bytes end
 */
export function writePadded(bits: BitString, target: Buffer, at: number): number {
  const { _data: data, _offset: offset, _length: length } = bitsOf(bits);
  const [first, shift, end] = [offset >> 3, offset & 7, at + ((length + 7) >> 3)];
  if (shift === 0) data.copy(target, at, first, first + (end - at));
  else
    for (let n = 0; n < end - at; n++)
      target[at + n] = (data[first + n]! << shift) | ((data[first + n + 1] ?? 0) >> (8 - shift));
  const rest = length & 7;
  if (rest > 0) target[end - 1] = (target[end - 1]! & (0xff00 >> rest)) | (0x80 >> rest);
  return end;
}
