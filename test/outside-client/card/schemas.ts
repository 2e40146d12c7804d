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

/** The application reads it as a BigInt. */
const units = z.string().regex(/^-?\d+$/);

const cardStatus = z.enum([
  ...([
    'PENDING_BLOCK',
    'PENDING_FREEZE',
    'PENDING_UNFREEZE',
    'PENDING_FOR_PAYMENT',
    'PENDING_CARD',
  ] as const),
  ...([
    'PENDING_CARD_ISSUE',
    'PENDING_CONTRACT',
    'WAITING_FOR_PAYMENT',
    'ACTIVE',
    'BLOCKED',
    'FROZEN',
  ] as const),
  ...(['CLOSED', 'CLIENT_VERIFICATION', 'CARD_VERIFICATION'] as const),
]);
const optionalText = z.string().nullish();
const delivery = z.object({
  id: z.string(),
  status: z.enum(['PENDING', 'ORDERED', 'PERSONALIZED', 'DISPATCHED', 'DELIVERED']),
  countryCode: z.string(),
  address: z.string(),
  phone: z.string(),
  email: z.string(),
  deliveryMethod: z.string(),
  postalCode: optionalText,
  apartment: optionalText,
  floor: optionalText,
  trackNumber: optionalText,
});
const cardBase = {
  id: z.string(),
  status: cardStatus,
  fiatCurrency: z.string(),
  productId: z.string(),
  personalizationCode: z.string(),
  updatedAt: z.string(),
  createdAt: z.string(),
  schema: z.enum(['visa', 'mc']),
  walletId: optionalText,
  lastFourDigits: optionalText,
  seed: optionalText,
  provider: optionalText,
  kind: optionalText,
  delivery: delivery.nullish(),
  design: z.enum(['BLACK_WAVES', 'DOGS']).nullish(),
};
const debitCard = z.object({ ...cardBase, type: z.literal('DEBIT') });
const prepaidCard = z.object({
  ...cardBase,
  type: z.literal('PREPAID'),
  fiatBalance: z.string().regex(/^-?\d+(\.\d{1,9})?$/),
});

const accountBase = {
  id: z.string(),
  accountIndex: z.number(),
  seed: z.string().nullable(),
  contract: z.string(),
  ownerAddress: z.string(),
  state: z.enum(['PENDING', 'PENDING_CONTRACT', 'ACTIVE', 'SUSPENDED', 'MANUALLY_CLOSED', 'CLOSED']),
  balance: units,
  network: z.enum(['ton-mainnet', 'ton-testnet', 'tron', 'polygon', 'ether', 'solana']),
  cryptoCurrency: z.object({
    decimals: z.number(),
    ticker: z.string(),
    tokenContract: z.string().optional(),
  }),
  createdAt: optionalText,
  address: optionalText,
  name: optionalText,
  contractAddress: optionalText,
  hasBeenDepositedOnce: z.boolean().nullish(),
};
const invoice = z.object({
  id: z.string(),
  expiresAt: z.number().nullable(),
  cryptoAccountId: z.string(),
  cryptoCurrency: accountBase.cryptoCurrency,
  params: z.object({
    kind: z.enum(['crypto', 'crypto_fiat']),
    cryptoAmount: z.string().nullable(),
    cryptoAmountNano: z.string(),
    fiatAmount: z.string().nullable(),
    rate: z.string().nullable(),
    fiatCurrency: z.string().nullable(),
    fees: z.string().optional(),
  }),
  purpose: z.unknown(),
});
const cryptoAccount = z.object({
  ...accountBase,
  type: z.literal('crypto'),
  tzOffset: z.number(),
  prepaidOnly: z.boolean(),
  partner: z.string(),
  isLatestContract: z.boolean(),
  totalDebtCryptoAmountNano: z.string(),
  brand: z.enum(['HOLDERS', 'HOLDERS_STANDALONE', 'TONHUB', 'TONKEEPER', 'CARDBOT']),
  limits: z.object({
    tzOffset: z.number(),
    dailyDeadline: z.number(),
    dailySpent: z.string(),
    monthlyDeadline: z.number(),
    monthlySpent: z.string(),
    monthly: z.string(),
    daily: z.string(),
    onetime: z.string(),
  }),
  invoices: z.array(invoice),
  cards: z.array(debitCard),
});
const vestingAccount = z.object({
  ...accountBase,
  type: z.literal('vesting'),
  beneficiaryAddress: z.string(),
  beneficiaryCryptoAccountId: z.string(),
  beneficiaryName: z.string(),
  creatorAccountId: z.string(),
  totalDeposited: z.string(),
  totalPaidOut: z.string(),
  unlockAmountPerPeriod: z.string(),
  unlockPeriodSeconds: z.string(),
  estimatedPayoutsRemaining: z.number(),
  nextPayoutAt: z.string().nullable(),
  startPaymentsAt: z.union([z.number(), z.string()]).nullish(),
  cards: z.array(debitCard).optional(),
});

export const accounts = z.object({
  ok: z.literal(true),
  list: z.array(z.discriminatedUnion('type', [cryptoAccount, vestingAccount])),
  prepaidCards: z.array(prepaidCard),
});

export const card = z.object({
  ok: z.literal(true),
  config: z.object({ id: z.string(), address: z.string(), state: z.string(), balance: z.string() }),
});

/** Of the calls that are not the app's. */
export const changedCard = z.object({ ok: z.literal(true), card: debitCard });

const merchantInfo = z.object({
  cleanName: z.string().optional(),
  dirtyName: z.string().optional(),
  country: z.string().optional(),
  logo: z.string().optional(),
  logoUrl: z.string().optional(),
  merchantId: z.string().optional(),
  placeId: z.string().optional(),
});
const chainTx = z.object({
  lt: z.string(),
  hash: z.string(),
  address: z.string(),
  network: z.enum(['ton-mainnet', 'ton-testnet']),
});
const purchase = {
  accountId: z.string(),
  amount: units,
  currency: z.string(),
  currencyAmount: z.string(),
  txnCurrency: z.string(),
  txnCurrencyAmount: z.string(),
  ref: z.string(),
  merchantInfo: merchantInfo.optional(),
};
const moved = z.object({
  accountId: z.string(),
  amount: units,
  pending: z.boolean().optional(),
  chainTx: chainTx.optional(),
});
const limits = z.object({ daily: z.string(), monthly: z.string(), onetime: z.string() });

const eventsWith = <Card extends z.ZodType>(cardId: Card) => {
  const event = <const Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
    z.object({ id: z.string(), cardId, type: z.literal(type), time: z.number(), data });
  return z.discriminatedUnion('type', [
    event('contract_commited', z.object({ chainTx: chainTx.optional() })),
    event('card_ready', z.object({ accountId: z.string(), contract: z.string().optional() })),
    event('deposit', moved),
    event('card_paid', z.object({ amount: z.string() })),
    event('contract_closed', z.unknown()),
    event('charge', z.object(purchase)),
    event(
      'charge_failed',
      z.object({
        ...purchase,
        reason: z.object({ limit: z.enum(['daily', 'monthly', 'onetime']).optional(), type: z.string() }),
      }),
    ),
    event(
      'charge_back',
      z.object({ ...purchase, action: z.enum(['purchase', 'refund', 'cash_withdraw', 'other']) }),
    ),
    event(
      'limits_change',
      z.object({
        accountId: z.string(),
        limits,
        chainTx: chainTx.optional(),
        pending: z.boolean().optional(),
      }),
    ),
    event('card_withdraw', z.object({ amount: z.string(), accountId: z.string() })),
    event('crypto_account_withdraw', z.object({ amount: z.string(), accountId: z.string() })),
    event('card_freeze', z.object({ reason: z.string() })),
    event('card_block', z.object({ reason: z.string() })),
    event('card_unfreeze', z.object({ byUser: z.boolean() })),
  ]);
};

export const events = z.object({
  ok: z.literal(true),
  data: z.object({ events: z.array(eventsWith(z.string())), more: z.boolean(), cursor: z.string() }),
});

/** The history of a wallet: of its transactions what is needed to find them. */
export const walletHistory = z.object({
  data: z.array(
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('ton'),
        data: z.object({ lt: z.string(), hash: z.string(), time: z.number() }),
      }),
      z.object({ type: z.literal('holders'), data: eventsWith(z.string().optional()) }),
    ]),
  ),
  hasMore: z.boolean(),
  cursor: z
    .object({
      ton: z.object({ lt: z.string().optional(), hash: z.string().optional() }).optional(),
      holders: z.object({ fromCursor: z.string().nullish() }).optional(),
    })
    .optional(),
});

const asked = {
  txnId: z.string(),
  expiresAt: z.string().optional(),
  cardId: z.string(),
  accountId: z.string(),
  merchant: z
    .object({
      dirtyName: z.string(),
      cleanName: z.string().optional(),
      logo: optionalText,
      logoUrl: optionalText,
      country: optionalText,
      city: optionalText,
      merchantId: optionalText,
      placeId: optionalText,
      mccCode: optionalText,
      category: optionalText,
    })
    .optional(),
  status: z.enum(['CONFIRMED', 'PENDING', 'REJECTED']).optional(),
};
const bought = { amount: z.string(), currency: z.string() };

export const otp = z.object({
  ok: z.literal(true),
  data: z
    .discriminatedUnion('type', [
      z.object({ ...asked, ...bought, type: z.literal('otp_code'), code: z.string() }),
      z.object({ ...asked, type: z.literal('activation_code'), code: z.string() }),
      z.object({ ...asked, ...bought, type: z.literal('confirmation_request') }),
    ])
    .optional(),
});

export const otpAnswer = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    error: z.enum([
      ...(['not_confirmation_type', 'expired', 'already_rejected', 'already_confirmed'] as const),
      'disabled_for_provider',
    ]),
  }),
]);
