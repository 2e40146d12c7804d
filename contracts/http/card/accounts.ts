import { z } from 'zod';
import { CARD_DECLINE_REASONS } from '../../events/card-account';
import type { Quota } from '../../quota';
import { endpoint } from '../endpoint';
import { LOCAL } from '../local-accounts';
import { exampleCard } from './example-cards';
import { CARD_STATUSES, cardAccountView, cardUnits, cardVestingView, prepaidCard } from './fields';
import { CARD, CARD_TOKEN_ERRORS, cardPath, cardToken, EXAMPLE_CARD_TOKEN } from './mount';

/** An id of another form is of nobody. */
export const cardId = z.string().min(1).max(64);

export const CARD_PUBLIC_ACCOUNTS: Quota = {
  name: 'card_public_accounts',
  of: 'questions for the accounts of a wallet, without a token',
  by: 'address',
  perMinute: 240,
};

export const listCardAccounts = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/v2/account/list'),
  operationId: 'listCardAccounts',
  summary:
    'The accounts of a card holder with their cards, each topped up at its `address`, and the vesting accounts that it has created',
  examples: [{ body: { token: EXAMPLE_CARD_TOKEN } }],
  body: z.object({ token: cardToken }),
  response: z.strictObject({
    ok: z.literal(true),
    list: z.array(z.discriminatedUnion('type', [cardAccountView, cardVestingView])),
    prepaidCards: z.array(prepaidCard),
  }),
  errors: CARD_TOKEN_ERRORS,
});

const walletNetwork = z.enum(['ton-mainnet', 'ton-testnet', 'solana']);
const walletAddress = z.string().min(1).max(100);

export const listPublicCardAccounts = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/v2/public/accounts'),
  operationId: 'listPublicCardAccounts',
  summary: 'Always empty: without a token nobody is told which accounts there are',
  examples: [{ body: { walletKind: 'tonhub', network: 'ton-mainnet', address: LOCAL.alice } }],
  body: z.object({
    walletKind: z.string().min(1).max(32),
    network: walletNetwork.optional(),
    address: walletAddress.optional(),
    wallets: z
      .array(z.object({ network: walletNetwork, address: walletAddress }))
      .max(16)
      .optional(),
  }),
  response: z.strictObject({ ok: z.literal(true), accounts: z.array(z.never()) }),
  errors: ['card_off'],
  rateLimit: CARD_PUBLIC_ACCOUNTS,
});

export const getCard = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/card/get'),
  operationId: 'getCard',
  summary: 'A card of the holder: its state, and what its account has',
  examples: [{ body: { token: EXAMPLE_CARD_TOKEN, id: exampleCard('used') } }],
  body: z.object({ token: cardToken, id: cardId }),
  response: z.strictObject({
    ok: z.literal(true),
    config: z.strictObject({
      id: z.string(),
      address: z.string(),
      state: z.enum(CARD_STATUSES),
      balance: cardUnits,
    }),
  }),
  errors: [...CARD_TOKEN_ERRORS, 'card_not_found'],
});

const chainTx = z.strictObject({
  lt: z.string(),
  hash: z.string(),
  address: z.string(),
  network: z.enum(['ton-mainnet', 'ton-testnet']),
});
const merchantInfo = z.strictObject({
  cleanName: z.string().optional(),
  dirtyName: z.string(),
  country: z.string().optional(),
  logo: z.string().optional(),
  logoUrl: z.string().optional(),
  merchantId: z.string().optional(),
  placeId: z.string().optional(),
});
const purchase = {
  accountId: z.string(),
  /** In units of the account's currency. */
  amount: cardUnits,
  /** Of the card. */
  currency: z.string(),
  currencyAmount: z.string(),
  /** Of the merchant. */
  txnCurrency: z.string(),
  txnCurrencyAmount: z.string(),
  /** Of the issuer: the same for all that belongs to one purchase. */
  ref: z.string(),
  merchantInfo: merchantInfo.optional(),
};
const moved = z.strictObject({
  accountId: z.string(),
  amount: cardUnits,
  pending: z.boolean().optional(),
  chainTx: chainTx.optional(),
});
const limits = z.strictObject({ daily: cardUnits, monthly: cardUnits, onetime: cardUnits });

const event = <const Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.strictObject({
    id: z.string(),
    cardId: z.string(),
    type: z.literal(type),
    time: z.number().meta({ description: 'Milliseconds since 1970' }),
    data,
  });

export const cardEventView = z.discriminatedUnion('type', [
  event('card_ready', z.strictObject({ accountId: z.string() })),
  event('card_paid', z.strictObject({ amount: cardUnits })),
  event('contract_closed', z.strictObject({})),
  event('deposit', moved),
  event('crypto_account_withdraw', z.strictObject({ accountId: z.string(), amount: cardUnits })),
  event(
    'prepaid_topup',
    z.strictObject({
      /** In whole units of the card's currency. */
      amount: z.string(),
      currency: z.string(),
      cryptoCurrency: z.string(),
      cryptoAmount: cardUnits,
    }),
  ),
  event('card_withdraw', z.strictObject({ accountId: z.string(), amount: z.string() })),
  event('charge', z.strictObject(purchase)),
  event(
    'charge_failed',
    z.strictObject({
      ...purchase,
      reason: z.strictObject({
        limit: z.enum(['daily', 'monthly', 'onetime']).optional(),
        type: z.enum(CARD_DECLINE_REASONS),
      }),
    }),
  ),
  event(
    'charge_back',
    z.strictObject({ ...purchase, action: z.enum(['purchase', 'refund', 'cash_withdraw', 'other']) }),
  ),
  event('limits_change', z.strictObject({ accountId: z.string(), limits, pending: z.boolean().optional() })),
  event('card_freeze', z.strictObject({ reason: z.string() })),
  event('card_block', z.strictObject({ reason: z.string() })),
  event('card_unfreeze', z.strictObject({ byUser: z.boolean() })),
]);
export type CardEventView = z.output<typeof cardEventView>;

type CardEventOfHistory = CardEventView extends infer Each
  ? Each extends CardEventView
    ? Omit<Each, 'cardId'> & { readonly cardId?: string }
    : never
  : never;
/** In the history of a wallet: without `cardId` where it is of an account alone. */
export const cardEventOfHistory = z.discriminatedUnion(
  'type',
  cardEventView.options.map(option => (option as z.ZodObject).partial({ cardId: true })) as never,
) as unknown as z.ZodType<CardEventOfHistory>;

const order = z.enum(['asc', 'desc']);

export const listCardEvents = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/v2/card/events'),
  operationId: 'listCardEvents',
  summary: 'What happened to a card and its account, newest first; to continue, pass `cursor`',
  examples: [
    { body: { token: EXAMPLE_CARD_TOKEN, cardId: exampleCard('used'), limit: 20 } },
    {
      body: { token: EXAMPLE_CARD_TOKEN, cardId: exampleCard('used'), limit: 20, cursor: '7', order: 'asc' },
    },
  ],
  body: z.object({
    token: cardToken,
    cardId,
    limit: z.int().min(1).max(100),
    // The app has arguments in wrong places: the order in that of the cursor, of the first page.
    cursor: z.union([order, z.string().regex(/^\d{1,15}$/)]).nullish(),
    order: order.nullish(),
  }),
  response: z.strictObject({
    ok: z.literal(true),
    data: z.strictObject({ events: z.array(cardEventView), more: z.boolean(), cursor: z.string() }),
  }),
  errors: [...CARD_TOKEN_ERRORS, 'card_not_found'],
});
