import { z } from 'zod';
import type { Quota } from '../../quota';
import { endpoint } from '../endpoint';
import { givenPhone } from './fields';
import { CARD, CARD_TOKEN_ERRORS, cardPath, cardToken, EXAMPLE_NEW_CARD_TOKEN } from './mount';
import { cardUserStateView } from './user';

// The web application of the card service leads a user through these steps; its calls are not public, so these are ours.

/** A user is known after five, and many share an address of a mobile network. What they leave stays with the user. */
export const CARD_STEPS: Quota = {
  name: 'card_steps',
  of: 'codes that card holders ask for and confirm, and beginnings of their identification',
  by: 'address',
  perMinute: 120,
  perDay: 100_000,
};

/** The owner of the phone is sent them, asked for or not, and needs one to confirm the number. */
export const CARD_CONTACT_CODES: Quota = {
  name: 'card_contact_codes',
  of: 'codes to one phone number or e-mail address',
  by: 'address',
  perMinute: 5,
  perDay: 20,
};

const token = { token: cardToken };
const code = z.string().regex(/^\d{6}$/, 'must be six digits');
const STEP_ERRORS = [...CARD_TOKEN_ERRORS, 'card_user_suspended', 'card_step_missing'] as const;

const state = z.object({ ok: z.literal(true), state: cardUserStateView });
const requested = z.object({
  ok: z.literal(true),
  expiresAt: z.iso.datetime(),
  sandbox: z.object({ code }).meta({ description: 'The code: a sandbox sends none' }),
});

const REQUEST_ERRORS = [...STEP_ERRORS, 'card_step_done', 'too_many_card_codes'] as const;
const CONFIRM_ERRORS = [...STEP_ERRORS, 'card_code_expired', 'card_code_wrong'] as const;

const email = z.email().max(254);

export const startCardPhone = endpoint({
  group: CARD,
  method: 'POST',
  rateLimit: CARD_STEPS,
  ...cardPath('/v2/user/phone/start'),
  operationId: 'startCardPhone',
  summary: 'Requests a code that confirms a phone number (web page)',
  examples: [{ body: { token: EXAMPLE_NEW_CARD_TOKEN, phone: '+4930123456' } }],
  body: z.object({ ...token, phone: givenPhone }),
  response: requested,
  errors: REQUEST_ERRORS,
});

export const confirmCardPhone = endpoint({
  group: CARD,
  method: 'POST',
  rateLimit: CARD_STEPS,
  ...cardPath('/v2/user/phone/confirm'),
  operationId: 'confirmCardPhone',
  summary: 'Confirms the phone number with the code (web page)',
  examples: [{ body: { token: EXAMPLE_NEW_CARD_TOKEN, code: '123456' } }],
  body: z.object({ ...token, code }),
  response: state,
  errors: CONFIRM_ERRORS,
});

export const startCardEmail = endpoint({
  group: CARD,
  method: 'POST',
  rateLimit: CARD_STEPS,
  ...cardPath('/v2/user/email/start'),
  operationId: 'startCardEmail',
  summary: 'Requests a code that confirms an e-mail address (web page)',
  examples: [{ body: { token: EXAMPLE_NEW_CARD_TOKEN, email: 'alice@example.com' } }],
  body: z.object({ ...token, email }),
  response: requested,
  errors: REQUEST_ERRORS,
});

export const confirmCardEmail = endpoint({
  group: CARD,
  method: 'POST',
  rateLimit: CARD_STEPS,
  ...cardPath('/v2/user/email/confirm'),
  operationId: 'confirmCardEmail',
  summary: 'Confirms the e-mail address with the code (web page)',
  examples: [{ body: { token: EXAMPLE_NEW_CARD_TOKEN, code: '123456' } }],
  body: z.object({ ...token, code }),
  response: state,
  errors: CONFIRM_ERRORS,
});

export const startCardKyc = endpoint({
  group: CARD,
  method: 'POST',
  rateLimit: CARD_STEPS,
  ...cardPath('/v2/user/kyc/start'),
  operationId: 'startCardKyc',
  summary: 'Asks the issuer to identify the card holder; repeating it changes nothing (web page)',
  examples: [{ body: { token: EXAMPLE_NEW_CARD_TOKEN } }],
  body: z.object(token),
  response: state,
  errors: STEP_ERRORS,
});
