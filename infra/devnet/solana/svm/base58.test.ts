import { PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { base58, fromBase58 } from './base58';
import { runs } from '../../../../test/random';

it('encodes and decodes addresses as web3.js does', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), bytes => {
      const text = new PublicKey(bytes).toBase58();
      expect(base58(bytes)).toBe(text);
      expect(fromBase58(text)).toEqual(Buffer.from(bytes));
    }),
    runs(100),
  );
});

it('decodes what it encodes, for any length and leading zeros', () => {
  fc.assert(
    fc.property(fc.nat(5), fc.uint8Array({ maxLength: 70 }), (zeros, rest) => {
      const bytes = Buffer.concat([Buffer.alloc(zeros), rest]);
      expect(fromBase58(base58(bytes))).toEqual(bytes);
    }),
    runs(100),
  );
});

it.each(['0', 'O', 'I', 'l', 'abc def', 'é'])('refuses %j', text => {
  expect(fromBase58(text)).toBeNull();
});
