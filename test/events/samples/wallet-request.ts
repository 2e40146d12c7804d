import type { Samples } from '../sample';

const parties = {
  requestId: '5f'.repeat(16),
  network: 'mainnet',
  requestor: `0:${'ab'.repeat(32)}`,
  confirmant: `0:${'cd'.repeat(32)}`,
  at: '2026-03-01T12:00:00.000Z',
};
const text = (of: string) => ({ subject: `ton:mainnet:${of}`, ciphertext: 'v1.AAAAAAAAAAAAAAAA.AAAA' });
const created = { ...parties, expiresAt: '2026-03-01T12:05:00.000Z', message: null, metadata: null };
const createdWithTexts = {
  ...created,
  network: 'testnet',
  message: text(parties.requestor),
  metadata: text(parties.requestor),
};
const answer = {
  ...parties,
  at: '2026-03-01T12:01:00.000Z',
  signedAt: 1_772_366_460,
  publicKey: '07'.repeat(32),
  signature: Buffer.alloc(64, 7).toString('base64'),
  response: null,
};
const expired = { ...parties, at: '2026-03-01T12:05:00.001Z' };
const removed = { ...parties, at: '2026-06-01T12:00:00.000Z' };

export const WALLET_REQUEST = { created: { ...created, source: null }, answer, expired } as const;

export const WALLET_REQUEST_SAMPLES: Samples = {
  WalletRequestCreated: [
    { v: 2, data: { ...created, source: '0123456789abcdef' } },
    { v: 2, data: { ...created, source: null } },
    { v: 1, data: created, latest: { ...created, source: null } },
    { v: 1, data: createdWithTexts, latest: { ...createdWithTexts, source: null } },
  ],
  WalletRequestConfirmed: [
    { v: 1, data: answer },
    { v: 1, data: { ...answer, response: text(parties.confirmant) } },
  ],
  WalletRequestDeclined: [{ v: 1, data: answer }],
  WalletRequestExpired: [{ v: 1, data: expired }],
  WalletRequestRemoved: [{ v: 1, data: removed }],
};
