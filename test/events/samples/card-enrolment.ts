import type { Samples } from '../sample';

const at = '2026-11-28T12:00:00.000Z';
const userId = '5d1c2b9a-3f0e-5b7a-9c8d-1e2f3a4b5c6d';
const about = { userId, network: 'testnet', at };
const text = { subject: userId, ciphertext: 'v1.AAAAAAAAAAAAAAAA.AAAA' };
const code = { ...about, kind: 'phone', codeId: 1 };
const wallet = { ...about, chain: 'ton', address: `0:${'1'.repeat(64)}`, version: 'v5r1' };
const decided = { ...about, result: 'GREEN', decidedAt: '2026-11-28T11:59:59.000Z', profile: null };

export const CARD_USER_SAMPLES: Samples = {
  CardUserEnrolled: [
    { v: 1, data: { ...about, publicKey: 'ab'.repeat(32), invited: false, source: '0123456789abcdef' } },
  ],
  CardUserInvited: [{ v: 1, data: about }],
  CardUserWalletConnected: [
    { v: 1, data: wallet },
    { v: 1, data: { ...about, chain: 'solana', address: '1'.repeat(32), version: null } },
  ],
  CardUserCodeRequested: [
    { v: 1, data: { ...code, contact: text, expiresAt: '2026-11-28T12:10:00.000Z' } },
    {
      v: 1,
      data: { ...code, kind: 'email', codeId: 2, contact: text, expiresAt: '2026-11-28T12:10:00.000Z' },
    },
  ],
  CardUserCodeFailed: [{ v: 1, data: code }],
  CardUserContactConfirmed: [{ v: 1, data: { ...code, contact: text } }],
  CardUserKycStarted: [{ v: 1, data: about }],
  CardUserKycDecided: [
    { v: 1, data: decided },
    { v: 1, data: { ...decided, result: 'RED', decidedAt: at } },
    { v: 1, data: { ...decided, decidedAt: '2026-11-28T12:00:01.000Z', profile: text } },
  ],
  CardUserSuspended: [{ v: 1, data: { ...about, by: 'os:anna', reason: text } }],
  CardUserResumed: [{ v: 1, data: { ...about, by: 'os:anna' } }],
  CardUserTokensRevoked: [{ v: 1, data: { ...about, by: 'os:anna', epoch: 1 } }],
};

const token = { digest: 'c'.repeat(64), userId, network: 'testnet', at };

export const CARD_TOKEN_SAMPLES: Samples = {
  CardTokenIssued: [
    {
      v: 1,
      data: { ...token, expiresAt: '2027-02-26T12:00:00.000Z', epoch: 0, source: '0123456789abcdef' },
    },
  ],
  CardTokenRevoked: [{ v: 1, data: token }],
  CardTokenRemoved: [{ v: 1, data: token }],
};

export const CARD_PROOF_SAMPLES: Samples = {
  CardProofUsed: [
    { v: 1, data: { digest: 'd'.repeat(64), network: 'testnet', signedAt: 1_795_867_200, at } },
  ],
};
