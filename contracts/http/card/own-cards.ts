import { z } from 'zod';
import { CARD_DESIGNS, CARD_SCHEMAS, CARD_TYPES } from '../../events/card';
import type { Quota } from '../../quota';
import { endpoint } from '../endpoint';
import { cardId } from './accounts';
import { EXAMPLE_CARD_ACCOUNTS, exampleCard } from './example-cards';
import { cardAccountView, cardView, givenPhone, givenText } from './fields';
import { CARD, CARD_TOKEN_ERRORS, cardPath, cardToken, EXAMPLE_CARD_TOKEN } from './mount';

// In the web application of the card service cards are ordered and changed; its calls are not public, so these are ours.

export const CARD_CHANGES: Quota = {
  name: 'card_changes',
  of: 'orders and changes of cards and their accounts by their holders',
  by: 'address',
  perMinute: 60,
  // The ledger of an account has them for good.
  perDay: 100_000,
};

const token = { token: cardToken };
const delivery = z.object({
  countryCode: z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166 code of two letters'),
  address: givenText(300),
  phone: givenPhone,
  email: z.email().max(254),
  deliveryMethod: z.enum(['standard', 'express']).default('standard'),
  postalCode: givenText(16).optional(),
  apartment: givenText(16).optional(),
  floor: givenText(16).optional(),
});
export type CardDelivery = z.output<typeof delivery>;

const cardAnswer = z.strictObject({ ok: z.literal(true), card: cardView });
const accountAnswer = z.strictObject({ ok: z.literal(true), account: cardAccountView });

export const orderCard = endpoint({
  group: CARD,
  method: 'POST',
  rateLimit: CARD_CHANGES,
  ...cardPath('/v2/card/order'),
  operationId: 'orderCard',
  summary:
    'Orders a card for an account, or a prepaid one, which costs nothing and is loaded from accounts; repeating the `key` gets the same card (web page)',
  examples: [
    { body: { token: EXAMPLE_CARD_TOKEN, accountId: EXAMPLE_CARD_ACCOUNTS.used, key: 'first-card' } },
    {
      body: {
        token: EXAMPLE_CARD_TOKEN,
        accountId: EXAMPLE_CARD_ACCOUNTS.used,
        key: 'plastic',
        design: 'DOGS',
        delivery: {
          countryCode: 'DE',
          address: 'Unter den Linden 1, Berlin',
          phone: '+4930123456',
          email: 'alice@example.com',
        },
      },
    },
  ],
  body: z.object({
    ...token,
    accountId: cardId,
    key: z.string().regex(/^[\w-]{1,64}$/),
    type: z.enum(CARD_TYPES).default('DEBIT'),
    schema: z.enum(CARD_SCHEMAS).default('visa'),
    design: z.enum(CARD_DESIGNS).optional(),
    delivery: delivery.optional().meta({ description: 'Of a card of plastic' }),
  }),
  response: cardAnswer,
  errors: [
    ...CARD_TOKEN_ERRORS,
    ...(['card_user_suspended', 'card_step_missing', 'card_account_not_found'] as const),
    ...(['card_account_state', 'too_many_cards'] as const),
  ],
});

const changing = (id: string) => ({ examples: [{ body: { token: EXAMPLE_CARD_TOKEN, id } }] });
const CARD_ERRORS = [...CARD_TOKEN_ERRORS, 'card_not_found', 'card_state'] as const;
const ofCard = z.object({ ...token, id: cardId });

export const payForCard = endpoint({
  group: CARD,
  method: 'POST',
  rateLimit: CARD_CHANGES,
  ...cardPath('/v2/card/pay'),
  operationId: 'payForCard',
  summary: 'Pays for a card from its account, and has it issued (web page)',
  ...changing(exampleCard('unpaid')),
  body: ofCard,
  response: cardAnswer,
  errors: [...CARD_ERRORS, 'card_user_suspended', 'card_account_state', 'card_funds_insufficient'],
});

const change = <const Name extends string>(
  name: Name,
  operationId: string,
  example: string,
  summary: string,
) =>
  endpoint({
    group: CARD,
    method: 'POST',
    rateLimit: CARD_CHANGES,
    ...cardPath(`/v2/card/${name}`),
    operationId,
    summary,
    ...changing(example),
    body: ofCard,
    response: cardAnswer,
    errors: CARD_ERRORS,
  });

export const freezeCard = change(
  'freeze',
  'freezeCard',
  exampleCard('to-freeze'),
  'Freezes a card: from now on nothing is authorised (web page)',
);
export const unfreezeCard = change(
  'unfreeze',
  'unfreezeCard',
  exampleCard('frozen'),
  'Makes a card that its holder has frozen usable again, once the issuer has agreed (web page)',
);
export const blockCard = change(
  'block',
  'blockCard',
  exampleCard('to-block'),
  'Blocks a card for good, such as a lost one (web page)',
);
export const closeCard = change(
  'close',
  'closeCard',
  exampleCard('to-close'),
  'Closes a card for good (web page)',
);

const ofPrepaid = z.object({
  ...token,
  id: cardId,
  accountId: cardId,
  amount: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .meta({ description: "An integer of the smallest unit of the card's currency" }),
  key: z.string().regex(/^[\w-]{1,64}$/),
});
const PREPAID_ERRORS = [
  ...CARD_ERRORS,
  ...(['card_user_suspended', 'card_step_missing', 'card_account_not_found'] as const),
  ...(['card_account_state', 'card_funds_insufficient', 'card_issuer_unavailable'] as const),
] as const;

const moving = <const Name extends string>(name: Name, operationId: string, summary: string) =>
  endpoint({
    group: CARD,
    method: 'POST',
    rateLimit: CARD_CHANGES,
    ...cardPath(`/v2/card/prepaid/${name}`),
    operationId,
    summary,
    examples: [
      {
        body: {
          token: EXAMPLE_CARD_TOKEN,
          id: exampleCard('prepaid'),
          accountId: EXAMPLE_CARD_ACCOUNTS.used,
          amount: '100',
          key: 'first',
        },
      },
    ],
    body: ofPrepaid,
    response: cardAnswer,
    errors: PREPAID_ERRORS,
  });

export const loadPrepaidCard = moving(
  'load',
  'loadPrepaidCard',
  'Loads a prepaid card from an account, at the rate of the issuer; repeating the `key` loads nothing (web page)',
);
export const unloadPrepaidCard = moving(
  'unload',
  'unloadPrepaidCard',
  'Returns the money of a prepaid card to an account, also once the card is closed; repeating the `key` returns nothing (web page)',
);

const units = z.string().regex(/^(0|[1-9]\d{0,29})$/, 'must be an integer of the smallest unit');

export const changeCardLimits = endpoint({
  group: CARD,
  method: 'POST',
  rateLimit: CARD_CHANGES,
  ...cardPath('/v2/account/limits'),
  operationId: 'changeCardLimits',
  summary:
    'Changes what may be spent at once, in a day and in a month; an increase counts after an hour (web page)',
  examples: [
    {
      body: {
        token: EXAMPLE_CARD_TOKEN,
        id: EXAMPLE_CARD_ACCOUNTS.used,
        limits: { onetime: '1000000000', daily: '5000000000', monthly: '50000000000' },
      },
    },
  ],
  body: z.object({
    ...token,
    id: cardId,
    limits: z.object({ onetime: units, daily: units, monthly: units }),
  }),
  response: accountAnswer,
  errors: [...CARD_TOKEN_ERRORS, 'card_account_not_found', 'card_limits_invalid'],
});

export const closeCardAccount = endpoint({
  group: CARD,
  method: 'POST',
  rateLimit: CARD_CHANGES,
  ...cardPath('/v2/account/close'),
  operationId: 'closeCardAccount',
  summary: 'Closes an account that is empty, for good (web page)',
  ...changing(EXAMPLE_CARD_ACCOUNTS.unused),
  body: ofCard,
  response: accountAnswer,
  errors: [
    ...CARD_TOKEN_ERRORS,
    ...(['card_account_not_found', 'card_account_state', 'card_account_not_empty'] as const),
  ],
});
