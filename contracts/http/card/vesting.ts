import { z } from 'zod';
import { endpoint } from '../endpoint';
import { cardId } from './accounts';
import { EXAMPLE_CARD_ACCOUNTS, EXAMPLE_CARD_VESTING } from './example-cards';
import { cardVestingView, givenText } from './fields';
import { CARD, CARD_TOKEN_ERRORS, cardPath, cardToken, EXAMPLE_CARD_TOKEN } from './mount';
import { CARD_CHANGES } from './own-cards';

// Wallets list vesting accounts; how they are created is not public, so these are ours.

const units = z.string().regex(/^[1-9]\d{0,17}$/, 'must be a positive integer of the smallest unit');
const key = z.string().regex(/^[\w-]{1,64}$/);
const [MIN_PERIOD_S, MAX_PERIOD_S] = [3_600, 10 * 366 * 86_400];

const answer = z.strictObject({ ok: z.literal(true), account: cardVestingView });
const ERRORS = [
  ...CARD_TOKEN_ERRORS,
  ...(['card_user_suspended', 'card_step_missing', 'card_account_not_found'] as const),
  ...(['card_account_state', 'too_many_card_vestings'] as const),
] as const;

export const createCardVesting = endpoint({
  group: CARD,
  method: 'POST',
  rateLimit: CARD_CHANGES,
  ...cardPath('/v2/account/vesting/create'),
  operationId: 'createCardVesting',
  summary:
    'Opens a vesting account, which pays an amount to another account at the end of each period; repeating the `key` gets the same one (web page)',
  examples: [
    {
      body: {
        token: EXAMPLE_CARD_TOKEN,
        id: EXAMPLE_CARD_ACCOUNTS.used,
        key: 'first',
        beneficiaryCryptoAccountId: EXAMPLE_CARD_ACCOUNTS.used,
        beneficiaryName: 'Alice',
        unlockAmountPerPeriod: '1000000000',
        unlockPeriodSeconds: 2_592_000,
      },
    },
  ],
  body: z.object({
    token: cardToken,
    id: cardId.meta({ description: 'Of the account that deposits come from' }),
    key,
    beneficiaryCryptoAccountId: cardId.meta({ description: 'An account in the same currency' }),
    beneficiaryName: givenText(100),
    unlockAmountPerPeriod: units,
    unlockPeriodSeconds: z.int().min(MIN_PERIOD_S).max(MAX_PERIOD_S),
    startPaymentsAt: z.iso
      .datetime()
      .optional()
      .meta({ description: 'When the first period begins; by default now' }),
  }),
  response: answer,
  errors: [...ERRORS, 'card_vesting_invalid'],
});

export const depositToCardVesting = endpoint({
  group: CARD,
  method: 'POST',
  rateLimit: CARD_CHANGES,
  ...cardPath('/v2/account/vesting/deposit'),
  operationId: 'depositToCardVesting',
  summary:
    'Moves money from the account of its creator to a vesting account; repeating the `key` moves nothing (web page)',
  examples: [
    { body: { token: EXAMPLE_CARD_TOKEN, id: EXAMPLE_CARD_VESTING, amount: '1000000', key: 'first' } },
  ],
  body: z.object({ token: cardToken, id: cardId, amount: units, key }),
  response: answer,
  errors: [...ERRORS, 'card_funds_insufficient'],
});
