import { z } from 'zod';
import { tonElection } from './ton-elections';

/** Nanotons, decimal. */
const nanotons = z.string().regex(/^\d+$/);
/** Base64 of 32 bytes. */
const hash = z.string();
/** Raw. */
const address = z.string();

/** Data of `ton.staking.status`: the rules of elections, who validates now, and who wants to in the next round. */
export const stakingStatusObserved = z.object({
  /** Parameter 15, in seconds. */
  validatorsElectedFor: z.int(),
  electorsStartBefore: z.int(),
  electorsEndBefore: z.int(),
  stakeHeldFor: z.int(),
  /** Parameter 16. */
  minValidators: z.int(),
  maxValidators: z.int(),
  maxMainValidators: z.int(),
  /** Parameter 17. */
  minStake: nanotons,
  maxStake: nanotons,
  /** Parameter 34: the present round, in Unix seconds. */
  validationFrom: z.int(),
  validationUntil: z.int(),
  validators: z.array(
    z.object({
      key: z.int(),
      weight: z.string().regex(/^\d+$/),
      address,
      stake: nanotons,
      adnl: hash.nullable(),
    }),
  ),
  /** Who has a stake in the election that is open; none between elections. */
  electionEntities: z.array(z.object({ key: hash, amount: nanotons, address, adnl: hash })),
  /** Those whose stakes the elector holds, newest first. That of the present round is among them. */
  elections: z.array(tonElection),
});
export type StakingStatusObserved = z.infer<typeof stakingStatusObserved>;
