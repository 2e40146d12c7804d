import { z } from 'zod';
import { CARD_CHALLENGE_ANSWERS } from '../../events/card-challenge';
import type { Quota } from '../../quota';
import { endpoint } from '../endpoint';
import { CARD, CARD_TOKEN_ERRORS, cardPath, cardToken, EXAMPLE_CARD_TOKEN } from './mount';

// Wallets take what may be absent, never null.

/** Ids of challenges cannot be guessed; who tries has a few attempts. */
export const CARD_CHALLENGE_GUESSES: Quota = {
  name: 'card_challenge_guesses',
  of: 'answers of a card holder to challenges that are not there',
  by: 'key',
  perMinute: 10,
};

const text = z.string().optional();
const merchant = z.strictObject({
  dirtyName: z.string(),
  cleanName: text,
  logo: text,
  logoUrl: text,
  country: text,
  merchantId: text,
  placeId: text,
});
const asked = {
  txnId: z.string(),
  expiresAt: z.iso.datetime(),
  cardId: z.string(),
  accountId: z.string(),
  status: z.literal('PENDING'),
};
const bought = {
  amount: z.string().meta({ description: 'In whole units of `currency`: `12.50`' }),
  currency: z.string(),
  merchant: merchant.optional(),
};

const otpRequest = z.discriminatedUnion('type', [
  z.strictObject({ ...asked, ...bought, type: z.literal('confirmation_request') }),
  z.strictObject({ ...asked, ...bought, type: z.literal('otp_code'), code: z.string() }),
  z.strictObject({ ...asked, type: z.literal('activation_code'), code: z.string() }),
]);
export type OtpRequest = z.output<typeof otpRequest>;

export const getCardOtpRequest = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/v2/user/otp/requests'),
  operationId: 'getCardOtpRequest',
  summary:
    'The latest question of the issuer about a purchase of the card holder; without `data` there is none',
  examples: [{ body: { token: EXAMPLE_CARD_TOKEN } }],
  body: z.object({ token: cardToken }),
  response: z.object({ ok: z.literal(true), data: otpRequest.optional() }),
  errors: CARD_TOKEN_ERRORS,
});

/** Those of wallets, which know no other. */
export const OTP_ANSWER_ERRORS = [
  'not_confirmation_type',
  'expired',
  'already_rejected',
  'already_confirmed',
  'disabled_for_provider',
] as const;
export type OtpAnswerError = (typeof OTP_ANSWER_ERRORS)[number];

export const confirmCardOtpRequest = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/v2/user/otp/requests/confirm'),
  operationId: 'confirmCardOtpRequest',
  summary:
    'Confirms or rejects a purchase, once. One that is unknown, or of somebody else, is answered like one that has expired',
  examples: [{ body: { token: EXAMPLE_CARD_TOKEN, data: { id: 'txn-1', status: 'CONFIRMED' } } }],
  body: z.object({
    token: cardToken,
    data: z.object({
      id: z.string().min(1).max(200).meta({ description: '`txnId` of the request' }),
      status: z.enum(CARD_CHALLENGE_ANSWERS),
    }),
  }),
  response: z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true) }),
    z.object({ ok: z.literal(false), error: z.enum(OTP_ANSWER_ERRORS) }),
  ]),
  errors: CARD_TOKEN_ERRORS,
});
