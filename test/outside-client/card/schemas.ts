import { z } from 'zod';

/*
 * What the wallet app reads of the card service, from what is known of the app alone: a member that is absent is not null, and
 * values that the app does not know are none.
 */

export const manifest = z.object({
  name: z.string(),
  url: z.string(),
  iconUrl: z.string(),
  termsOfUseUrl: z.string().optional(),
  privacyPolicyUrl: z.string().optional(),
});

export const enrolled = z.object({ ok: z.literal(true), token: z.string().min(1) });

const standing = { notificationSettings: z.object({ enabled: z.boolean() }), suspended: z.boolean() };

const kycStatus = z
  .object({
    applicantStatus: z
      .object({ review: z.object({ reviewStatus: z.string() }) })
      .nullable()
      .optional(),
    completed: z.boolean().nullable().optional(),
    result: z.enum(['GREEN', 'RED']).nullable().optional(),
  })
  .nullable();

export const state = z.object({
  ok: z.literal(true),
  state: z.discriminatedUnion('state', [
    z.object({ state: z.literal('no-ref') }),
    z.object({ state: z.literal('need-kyc'), kycStatus, ...standing }),
    z.object({ state: z.enum(['ok', 'need-email', 'need-phone']), ...standing }),
  ]),
});

const confirmation = z.enum(['CONFIRMATION_BUTTON', 'TEXT_CODE']);
const channels = { email: z.boolean(), push: z.boolean(), sms: z.boolean() };

export const profile = z.object({
  ok: z.literal(true),
  data: z.object({
    userId: z.string().min(1),
    email: z.string(),
    phone: z.string(),
    emailVerified: z.boolean(),
    dateOfBirth: z.string(),
    documentKind: z.string(),
    documentNumber: z.string(),
    documentValidUntil: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    middleName: z.string(),
    riskScore: z.string(),
    riskPercent: z.number(),
    country: z.string(),
    documentCountry: z.string(),
    preferredLocale: z.string().nullable(),
    otpConfig: z.object({
      availableProperties: z.object({ confirmationTypes: z.array(confirmation), ...channels }),
      currentConfig: z.object({ confirmationType: confirmation, ...channels }),
    }),
    address: z.object({
      countryCode: z.string().optional(),
      city: z.string().optional(),
      street: z.string().optional(),
      flatNumber: z.string().optional(),
      postalCode: z.string().optional(),
    }),
  }),
});

export const iban = z.object({ ok: z.literal(true), enabled: z.boolean() });

const texts = z.object({ en: z.string(), ru: z.string() });
const banner = z.object({
  id: z.number(),
  content: z.object({ action: texts, title: texts, subtitle: texts }),
  imageUrl: z.string().optional(),
  path: z.string().optional(),
});
export const invitation = z.object({
  allowed: z.boolean(),
  banner: banner.optional(),
  settingsBanner: banner.optional(),
  banners: z.array(banner).optional(),
  settingsBanners: z.array(banner).optional(),
});

export const frame = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.enum([
      'connected',
      'accounts_changed',
      'balance_change',
      'limits_change',
      'prepaid_transaction',
      'state_change',
      'inapp_otp',
      'inapp_otp_confirmation',
    ]),
  }),
  z.strictObject({ type: z.literal('error'), message: z.literal('invalid_token') }),
]);
