import type { Samples } from '../sample';

const at = '2026-11-28T12:00:00.000Z';
const userId = '5d1c2b9a-3f0e-5b7a-9c8d-1e2f3a4b5c6d';
const challenge = {
  challengeId: 'txn-1',
  network: 'testnet',
  userId,
  at,
  accountId: '7a3e6a52-7d1b-5e0a-9b64-3f2d5a1c7e90',
  cardId: '1e0f1a2b-4c5d-4e6f-8a7b-0c1d2e3f4a5c',
};
const merchant = {
  dirtyName: 'COFFEE 123',
  cleanName: 'Coffee',
  country: 'DE',
  logo: null,
  logoUrl: null,
  merchantId: 'm-1',
  placeId: null,
};
const webhook = { webhookId: 'msg_1', network: 'testnet', at };

export const CARD_CHALLENGE_SAMPLES: Samples = {
  CardChallengeReceived: [
    {
      v: 1,
      data: {
        ...challenge,
        kind: 'confirmation_request',
        code: null,
        merchant,
        expiresAt: '2026-11-28T12:05:00.000Z',
        amount: { amount: '1250', currency: 'EUR' },
      },
    },
    {
      v: 1,
      data: {
        ...challenge,
        challengeId: 'txn-2',
        kind: 'activation_code',
        amount: null,
        merchant: null,
        code: { subject: userId, ciphertext: 'v1.AAAAAAAAAAAAAAAA.AAAA' },
        expiresAt: '2026-11-28T12:05:00.000Z',
      },
    },
  ],
  CardChallengeAnswered: [{ v: 1, data: { ...challenge, answer: 'CONFIRMED' } }],
  CardChallengeEnded: [{ v: 1, data: { ...challenge, outcome: 'confirmed' } }],
  CardChallengeRemoved: [{ v: 1, data: challenge }],
};

export const CARD_WEBHOOK_SAMPLES: Samples = {
  CardWebhookSetAside: [
    { v: 1, data: { ...webhook, type: 'card.painted', reason: 'unknown_type', detail: 'card.painted' } },
  ],
  CardWebhookRemoved: [{ v: 1, data: { ...webhook, webhookId: 'msg_2' } }],
};
