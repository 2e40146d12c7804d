import { z } from 'zod';
import { endpoint } from '../endpoint';
import { exampleCard } from './example-cards';
import { CARD, CARD_TOKEN_ERRORS, cardPath, cardToken, EXAMPLE_CARD_TOKEN } from './mount';

// A native part of the application calls these. Apple's never ends unless it is answered with a JSON object, which every problem is:
// its `error` is what the application looks for.

const EXAMPLE_CARD_ID = exampleCard('used');
const base64 = z.base64().max(16_384);

/** Cards that can be added to a wallet of the phone. */
export const listCardProvisioning = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/v2/card/provisioning/list'),
  operationId: 'listCardProvisioning',
  summary: 'Cards that can be added to the wallet of a phone, which replaces its list with this one',
  examples: [{ body: { token: EXAMPLE_CARD_TOKEN } }],
  body: z.object({ token: cardToken }),
  response: z.object({
    ok: z.literal(true),
    cards: z.array(
      z.strictObject({
        id: z.string(),
        lastFourDigits: z.string(),
        title: z.string(),
        cardholderName: z
          .string()
          .meta({ description: 'Empty while it is not known, and once it was erased' }),
      }),
    ),
  }),
  errors: CARD_TOKEN_ERRORS,
});

const PROVISIONING_ERRORS = [
  ...CARD_TOKEN_ERRORS,
  'card_not_found',
  'card_state',
  'card_provisioning_refused',
  'card_issuer_unavailable',
] as const;

const common = { token: cardToken, id: z.string().min(1).max(200).meta({ description: 'Of the card' }) };

export const getAppleProvisioning = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/v2/card/get/apple/provisioning/data'),
  operationId: 'getCardAppleProvisioning',
  summary: 'What Apple Pay needs to add a card, encrypted by the issuer for Apple',
  examples: [
    {
      body: {
        token: EXAMPLE_CARD_TOKEN,
        id: EXAMPLE_CARD_ID,
        params: { certificates: ['AAAA', 'BBBB'], nonce: 'CCCC', nonceSignature: 'DDDD' },
      },
    },
  ],
  body: z.object({
    ...common,
    params: z.object({
      certificates: z.array(base64).min(1).max(5),
      nonce: base64.max(1_024),
      nonceSignature: base64.max(1_024),
    }),
  }),
  bodyLimit: 128 * 1_024,
  response: z.object({
    data: z.object({ encryptedData: z.string(), activationData: z.string(), ephemeralPublicKey: z.string() }),
  }),
  errors: PROVISIONING_ERRORS,
});

export const getGoogleProvisioning = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/v2/card/get/google/provisioning/data'),
  operationId: 'getCardGoogleProvisioning',
  summary: 'What Google Pay needs to add a card, encrypted by the issuer for Google',
  examples: [
    {
      body: {
        token: EXAMPLE_CARD_TOKEN,
        id: EXAMPLE_CARD_ID,
        params: { walletAccountId: 'wallet-1', deviceId: 'device-1' },
      },
    },
  ],
  body: z.object({
    ...common,
    params: z.object({ walletAccountId: z.string().min(1).max(200), deviceId: z.string().min(1).max(200) }),
  }),
  response: z.object({ data: z.object({ encryptedData: z.string() }) }),
  errors: PROVISIONING_ERRORS,
});
