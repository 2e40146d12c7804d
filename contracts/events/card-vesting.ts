import { v5 } from 'uuid';
import { z } from 'zod';
import { accountRef, TON_NETWORKS } from '../network/network';
import { encryptedText } from '../text/personal-text';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of vesting accounts, one stream per account. */
export const CARD_VESTING_CATEGORY = 'cardVesting';

export function cardVestingStream(vestingId: string): string {
  return `${CARD_VESTING_CATEGORY}-${vestingId}`;
}

const NAMESPACE = '6f0d7c11-2b9e-5a34-8c5d-7e1f0a9b8c2d';

/** A UUIDv5: who creates again with the same key creates the same vesting account. @param creatorAccountId that deposits come from */
export function cardVestingId(creatorAccountId: string, key: string): string {
  return v5(`${creatorAccountId}/${key}`, NAMESPACE);
}

const PREFIX = 'vesting/';

/** The id of a deposit, in the account of the creator and in the vesting account. */
export function vestingDepositId(vestingId: string, key: string): string {
  return `${PREFIX}${vestingId}/deposit/${key}`;
}

/** The id of a payout in the account of the beneficiary. @param number from 1 */
export function vestingPayoutId(vestingId: string, number: number): string {
  return `${PREFIX}${vestingId}/payout/${number}`;
}

/** Whether a transaction is a deposit of a vesting account. */
export function isVestingDeposit(transactionId: string): boolean {
  return transactionId.startsWith(PREFIX) && transactionId.includes('/deposit/');
}

/** Integers of the smallest unit of the currency, as text. */
const units = z.string().regex(/^\d+$/);

const vesting = {
  vestingId: z.string(),
  network: z.enum(TON_NETWORKS),
  /** Of the creator. */
  userId: z.string(),
  at: z.iso.datetime(),
};

// These types are the storage format.
const opened = eventType({
  name: 'CardVestingOpened',
  schema: z.object({
    ...vesting,
    /** The account that deposits come from. */
    creatorAccountId: z.string(),
    /** The wallet of the creator. */
    owner: accountRef,
    beneficiary: z.object({
      /** The account that payouts go to. */
      accountId: z.string(),
      userId: z.string(),
      /** The wallet. */
      owner: accountRef,
      /** As the creator calls them. */
      name: encryptedText,
    }),
    /** Of both accounts. */
    currency: z.object({
      ticker: z.string(),
      decimals: z.int().min(0).max(18),
      tokenContract: z.string().nullable(),
    }),
    /** What is paid out when a period ends, while there is as much. */
    unlockAmountPerPeriod: units,
    unlockPeriodSeconds: z.int().min(1),
    /** The first period begins then. */
    startPaymentsAt: z.iso.datetime(),
    sandbox: z.boolean(),
  }),
});
const deposited = eventType({
  name: 'CardVestingDeposited',
  schema: z.object({
    ...vesting,
    transactionId: z.string(),
    amount: units,
    /** The first one, from 1, that is not paid out so far: periods that ended while there was nothing are not made up for. */
    nextPeriod: z.int().min(1),
    beneficiaryUserId: z.string(),
  }),
});
/** Of one period, or of several that have ended meanwhile. It is received by the beneficiary next, whatever happens. */
const paidOut = eventType({
  name: 'CardVestingPaidOut',
  schema: z.object({
    ...vesting,
    /** From 1. */
    number: z.int().min(1),
    fromPeriod: z.int().min(1),
    periods: z.int().min(1),
    amount: units,
    /** The ticker. */
    currency: z.string(),
    beneficiaryAccountId: z.string(),
    beneficiaryUserId: z.string(),
  }),
});

export const cardVestingEvents = eventFamily(opened, deposited, paidOut);
export type CardVestingEvent = EventOf<typeof opened | typeof deposited | typeof paidOut>;
