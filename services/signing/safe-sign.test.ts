import { beginCell, safeSign, safeSignVerify } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import fc from 'fast-check';
import { runs } from '../../test/random';
import { verifySafeSign } from './safe-sign';

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(each => Buffer.from(each));
const cellOf = (content: Buffer) => beginCell().storeBuffer(content).endCell();

it('accepts what safeSign of @ton/core has made, and nothing else', () =>
  fc.assert(
    fc.property(
      bytes(32),
      fc.uint8Array({ maxLength: 127 }).map(each => Buffer.from(each)),
      fc.nat(63),
      fc.nat(7),
      (seed, content, at, bit) => {
        const { publicKey, secretKey } = keyPairFromSeed(seed);
        const signature = safeSign(cellOf(content), secretKey);
        expect(verifySafeSign(cellOf(content), signature, publicKey)).toBe(true);

        const flipped = Buffer.from(signature);
        flipped[at]! ^= 1 << bit;
        expect(verifySafeSign(cellOf(content), flipped, publicKey)).toBe(false);
        expect(verifySafeSign(beginCell().storeBit(1).endCell(), signature, publicKey)).toBe(false);
        const another = safeSign(cellOf(content), secretKey, 'another-seed');
        expect(verifySafeSign(cellOf(content), another, publicKey)).toBe(false);
      },
    ),
    runs(10),
  ));

it('answers for any 32 bytes as @ton/core does, points that are not on the curve included', () =>
  fc.assert(
    fc.property(bytes(32), bytes(64), (key, signature) => {
      const cell = cellOf(key);
      expect(verifySafeSign(cell, signature, key)).toBe(safeSignVerify(cell, signature, key));
    }),
    runs(20),
  ));
