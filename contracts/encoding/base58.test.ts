import { Keypair, PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { decodeBase58, isSolanaSignature } from './base58';
import { runs } from '../../test/random';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('decodes what web3.js encodes, leading zeros included', () => {
  fc.assert(
    fc.property(bytes32, fc.nat({ max: 32 }), (bytes, zeros) => {
      bytes.fill(0, 0, zeros);
      expect(decodeBase58(new PublicKey(bytes).toBase58())).toEqual(bytes);
    }),
    runs(100),
  );
});

test.each(['0', 'O', 'I', 'l', 'é', 'abc def', ' abc', 'abc ', '漢'])(
  'refuses %p, which is not base58',
  text => {
    expect(decodeBase58(text)).toBeNull();
  },
);

test('a signature is exactly 64 bytes; an address is none', () => {
  const address = Keypair.generate().publicKey.toBase58();
  expect(isSolanaSignature('1'.repeat(64))).toBe(true);
  expect(isSolanaSignature('5'.repeat(87))).toBe(true);
  expect(isSolanaSignature('1'.repeat(65))).toBe(false);
  expect(isSolanaSignature('z'.repeat(88))).toBe(false);
  expect(isSolanaSignature(address)).toBe(false);
});
