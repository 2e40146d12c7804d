import { sha256 } from '../../contracts/encoding/sha256';
import { ed25519Key } from '../../infra/devnet/ed25519';
import { isFresh, signedTime } from './signed-text';

it('the time that was signed is the one that was sent, or the second before', () => {
  const key = ed25519Key(Buffer.alloc(32, 1));
  const text = (timestamp: number): string => `SOMETHING|${timestamp}`;
  const signature = key.sign(sha256(text(1_000)));
  const signedWhen = (sent: number) => signedTime(text, sent, signature, key.publicKey);
  expect([999, 1_000, 1_001, 1_002].map(signedWhen)).toEqual([null, 1_000, 1_000, null]);
});

it('a signature is fresh for five minutes before and after its time', () => {
  const now = 1_772_366_400;
  expect([-301, -300, 0, 300, 301].map(seconds => isFresh(now + seconds, now * 1_000))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
});
