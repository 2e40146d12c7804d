import type { Samples } from '../sample';

const at = '2026-11-23T12:00:00.000Z';
const userId = '7c2b9d1e-aaaa-5bbb-8ccc-0d1e2f3a4b5c';
const card = {
  cardId: '9e0f1a2b-4c5d-4e6f-8a7b-0c1d2e3f4a5b',
  accountId: '5b1d7c0a-3c55-5d1f-8b6e-6f1f0a2b3c4d',
  network: 'testnet',
  userId,
  at,
};
const changed = { ...card, by: 'holder', reason: 'lost', occurredAt: at };

export const CARD_SAMPLES: Samples = {
  CardOrdered: [
    {
      v: 1,
      data: {
        ...card,
        type: 'DEBIT',
        schema: 'visa',
        design: 'BLACK_WAVES',
        fiatCurrency: 'EUR',
        productId: 'holders-virtual',
        personalizationCode: 'standard',
        fee: '50000000',
        delivery: {
          countryCode: 'DE',
          details: { subject: `card:${userId}`, ciphertext: `v2.key.AAAA.${'A'.repeat(43)}` },
        },
        replaces: null,
        sandbox: true,
      },
    },
  ],
  CardPaid: [{ v: 1, data: { ...card, amount: '50000000' } }],
  CardIssuingAsked: [{ v: 1, data: card }],
  CardIssuingFailed: [{ v: 1, data: { ...card, reason: 'not available in this country' } }],
  CardIssued: [{ v: 1, data: { ...card, issuerCardId: 'issuer-card-1', lastFourDigits: '4242' } }],
  CardDeliveryMoved: [{ v: 1, data: { ...card, status: 'DISPATCHED', trackNumber: 'RR1' } }],
  CardVerificationAsked: [
    { v: 1, data: { ...card, of: 'client' }, latest: { ...card, of: 'client', occurredAt: card.at } },
    { v: 2, data: { ...card, of: 'client', occurredAt: '2026-11-23T11:59:59.000Z' } },
  ],
  CardVerified: [
    { v: 1, data: card, latest: { ...card, occurredAt: card.at } },
    { v: 2, data: { ...card, occurredAt: '2026-11-23T11:59:59.000Z' } },
  ],
  CardFreezeAsked: [{ v: 1, data: changed }],
  CardFrozen: [{ v: 1, data: changed }],
  CardUnfreezeAsked: [{ v: 1, data: changed }],
  CardUnfrozen: [{ v: 1, data: changed }],
  CardBlockAsked: [{ v: 1, data: changed }],
  CardBlocked: [{ v: 1, data: changed }],
  CardClosed: [{ v: 1, data: { ...changed, by: 'issuer' } }],
  CardChangeRefused: [{ v: 1, data: { ...card, asked: 'freeze', to: 'active', reason: 'other' } }],
  CardReplaced: [{ v: 1, data: { ...card, replacedBy: '1e0f1a2b-4c5d-4e6f-8a7b-0c1d2e3f4a5b' } }],
};
