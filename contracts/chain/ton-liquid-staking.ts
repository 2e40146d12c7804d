import { z } from 'zod';

/** Nanotons, or units of wsTON, of which 10^9 are one; decimal. */
const amount = z.string().regex(/^\d+$/);
const uint32 = z.int().min(0).max(0xffff_ffff);

/** Data of `ton.staking.liquid.pool`, all as of one block; null where there is no contract at the address of the pool. */
export const liquidPoolObserved = z
  .object({
    /** wsTON for a TON, in billionths. */
    rateDeposit: amount,
    /** TON for a wsTON, in billionths. */
    rateWithdraw: amount,
    roundId: uint32,
    enabled: z.boolean(),
    upgradable: z.boolean(),
    minStake: amount,
    depositFee: amount,
    withdrawFee: amount,
    receiptPrice: amount,
    /** Hundredths of a percent. */
    poolFee: z.int().min(0).max(10_000),
    minterSupply: amount,
    /** What the wsTON are worth, what is staked of it included. */
    totalBalance: amount,
    totalSent: amount,
    /** Owed, and not set aside yet. */
    totalPendingWithdraw: amount,
    /** Owed and set aside. */
    totalBalanceWithdraw: amount,
    /** Until when each of the two proxies has staked, Unix seconds; 0 for one without a stake. */
    proxyZeroStakeUntil: uint32,
    proxyOneStakeUntil: uint32,
    /** By the clock of the chain, Unix seconds. */
    time: z.int(),
    /** Parameters 15 and 34: start of the present round of validators, how long it is, and how long before its end elections start. */
    validationFrom: uint32,
    validatorsElectedFor: z.int().min(1),
    electorsStartBefore: z.int().min(0),
  })
  .nullable();
export type LiquidPoolObserved = z.infer<typeof liquidPoolObserved>;
export type LiquidPool = NonNullable<LiquidPoolObserved>;

/** Data of `ton.staking.liquid.member`. */
export const liquidMemberObserved = z.object({
  /** The account's wallet of wsTON, raw, whether or not it exists; null where there is no pool. */
  wallet: z.string().nullable(),
  /** What the account has in the liquid pool; null for who never had a wallet. */
  stake: z
    .object({
      /** Units of wsTON. */
      balance: amount,
      /** Base64 of a BoC: the code of the wallet. */
      code: z.string().max(16_384),
      /** Nanotons that are owed, by the round in which they were withdrawn. */
      pendingWithdrawals: z.record(z.string().regex(/^\d{1,10}$/), amount),
    })
    .nullable(),
});
export type LiquidMemberObserved = z.infer<typeof liquidMemberObserved>;
