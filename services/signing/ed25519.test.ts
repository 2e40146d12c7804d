import { ed25519Key } from '../../infra/devnet/ed25519';
import { verifyEd25519 } from './ed25519';

const key = ed25519Key(Buffer.alloc(32, 1));
const message = Buffer.from('message');
const signature = key.sign(message);

it('accepts what the key has signed, and nothing else', () => {
  expect(verifyEd25519(message, signature, key.publicKey)).toBe(true);
  expect(verifyEd25519(Buffer.from('another'), signature, key.publicKey)).toBe(false);
  expect(verifyEd25519(message, signature, ed25519Key(Buffer.alloc(32, 2)).publicKey)).toBe(false);
  for (const malformed of [Buffer.alloc(0), Buffer.alloc(63), signature.subarray(1), Buffer.alloc(65)])
    expect(verifyEd25519(message, malformed, key.publicKey)).toBe(false);
});

it('does not accept a second form of the same signature', () => {
  // S plus the order of the group (RFC 8032, section 5.1.7).
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order;
  const other = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  expect(verifyEd25519(message, Buffer.concat([signature.subarray(0, 32), other]), key.publicKey)).toBe(
    false,
  );
});

it('accepts no signature by a key with which anybody can make them', () => {
  // The neutral element as R, and zero as S: of any message, for a key whose product with its hash is neutral.
  const forged = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]);
  const neutral = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]);
  for (const weak of [neutral, Buffer.alloc(32), Buffer.from(`ec${'ff'.repeat(31)}`, 'hex')])
    for (let n = 0; n < 16; n++) expect(verifyEd25519(Buffer.from([n]), forged, weak)).toBe(false);
});
