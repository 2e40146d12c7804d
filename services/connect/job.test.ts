import { beginCell, safeSign } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import fc from 'fast-check';
import { runs } from '../../test/random';
import { parseJob } from './job';

const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 1));
const appPublicKey = Buffer.alloc(32, 2);

function signed(kind = 0): Buffer {
  const job = beginCell()
    .storeBuffer(appPublicKey)
    .storeUint(1_800_000_000, 32)
    .storeCoins(kind)
    .storeRef(beginCell().storeUint(7, 8).endCell())
    .endCell();
  const signature = safeSign(job, secretKey);
  return beginCell().storeBuffer(signature).storeBuffer(publicKey).storeRef(job).endCell().toBoc();
}

it.each([
  [0, 'transaction'],
  [1, 'sign'],
])('a job of kind %i is a command: %s', (kind, command) => {
  const job = signed(kind).toString('base64');
  expect(parseJob(job)).toEqual({
    command: {
      session: publicKey.toString('base64url'),
      appPublicKey: appPublicKey.toString('base64url'),
      command,
      job,
      expiresAt: '2027-01-15T08:00:00.000Z',
    },
    hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    isSigned: true,
  });
});

it('no change of a byte leaves a signed job', () => {
  const boc = signed();
  fc.assert(
    fc.property(fc.nat(boc.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(boc);
      changed[at]! ^= change;
      expect(parseJob(changed.toString('base64'))?.isSigned ?? false).toBe(false);
    }),
    runs(300),
  );
});

it('any other bytes are no job', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
      const magic = Buffer.from('b5ee9c72', 'hex');
      for (const given of [bytes, Buffer.concat([magic, bytes])])
        expect(parseJob(Buffer.from(given).toString('base64'))).toBeNull();
    }),
    runs(300),
  );
});
