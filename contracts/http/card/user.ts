import { z } from 'zod';
import { KYC_RESULTS } from '../../events/card-user';
import { endpoint } from '../endpoint';
import { CARD, CARD_TOKEN_ERRORS, cardPath, cardToken, EXAMPLE_CARD_TOKEN } from './mount';

const token = { token: cardToken };
const examples = [{ body: { token: EXAMPLE_CARD_TOKEN } }];

const standing = {
  notificationSettings: z.object({ enabled: z.boolean() }),
  suspended: z.boolean(),
};

const kycStatus = z.object({
  applicantStatus: z.object({ review: z.object({ reviewStatus: z.string() }) }),
  completed: z.boolean(),
  result: z.enum(KYC_RESULTS).nullable(),
});

export const cardUserStateView = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['no-ref', 'need-phone', 'need-email', 'ok']), ...standing }),
  z.object({ state: z.literal('need-kyc'), kycStatus: kycStatus.nullable(), ...standing }),
]);
export type CardUserStateView = z.output<typeof cardUserStateView>;

const stateResponse = z.object({
  ok: z.literal(true),
  state: cardUserStateView,
  sandbox: z.literal(true).meta({ description: 'Nothing of what the card service has is real' }),
});

export const getCardAccountState = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/account/state'),
  operationId: 'getCardAccountState',
  summary: 'What a card holder has to do next; `ok`: nothing',
  examples,
  body: z.object(token),
  response: stateResponse,
  errors: CARD_TOKEN_ERRORS,
});

const confirmations = z.enum(['CONFIRMATION_BUTTON', 'TEXT_CODE']);
const channels = { email: z.boolean(), push: z.boolean(), sms: z.boolean() };
const text = z.string().meta({ description: 'Empty while it is not known, and once it was erased' });

const profile = z.object({
  userId: z.string().meta({ description: 'Names the user to others: another id than that of the database' }),
  email: text,
  emailVerified: z.boolean(),
  phone: text,
  firstName: text,
  lastName: text,
  middleName: text,
  dateOfBirth: text,
  country: text,
  documentKind: text,
  documentNumber: text,
  documentCountry: text,
  documentValidUntil: text,
  riskScore: text,
  riskPercent: z.number(),
  preferredLocale: z.string().nullable(),
  otpConfig: z.object({
    availableProperties: z.object({ confirmationTypes: z.array(confirmations), ...channels }),
    currentConfig: z.object({ confirmationType: confirmations, ...channels }),
  }),
  address: z.object({
    countryCode: z.string().optional(),
    city: z.string().optional(),
    street: z.string().optional(),
    flatNumber: z.string().optional(),
    postalCode: z.string().optional(),
  }),
});
export type CardProfile = z.output<typeof profile>;

/** What an issuer may know of a person. */
export const kycPerson = profile.pick({
  firstName: true,
  lastName: true,
  middleName: true,
  dateOfBirth: true,
  country: true,
  documentKind: true,
  documentNumber: true,
  documentCountry: true,
  documentValidUntil: true,
  address: true,
});
export type KycPerson = z.output<typeof kycPerson>;

/** What it has said of one. */
export const kycProfile = kycPerson.partial();
export type KycProfile = z.output<typeof kycProfile>;

export const getCardProfile = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/v2/profile/get'),
  operationId: 'getCardProfile',
  summary: 'What is known about a card holder',
  examples,
  body: z.object(token),
  response: z.object({ ok: z.literal(true), data: profile }),
  errors: CARD_TOKEN_ERRORS,
});

export const getCardIban = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/v2/promo/iban'),
  operationId: 'getCardIban',
  summary: 'Whether accounts have an IBAN: none has',
  examples,
  body: z.object(token),
  response: z.object({ ok: z.literal(true), enabled: z.literal(false) }),
  errors: CARD_TOKEN_ERRORS,
});
