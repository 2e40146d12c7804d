import { z } from 'zod';
import type { TonNetworkSubject } from './ton-network-config';

export interface TonElectionSubject extends TonNetworkSubject {
  /** Unix seconds. */
  readonly id: number;
}

/** Nanotons, decimal. */
const nanotons = z.string().regex(/^\d+$/);

/** Data of `ton.election`. */
export const tonElection = z.object({
  /** Start of the round whose validators it elected, in Unix seconds. */
  id: z.int(),
  /** Unix seconds at which the stakes are returned. */
  unfreezeAt: z.int(),
  /** Seconds for which the stakes are held after the round. */
  stakeHeld: z.int(),
  totalStake: nanotons,
  /** What the validators of the round have earned together, so far. */
  bonuses: nanotons,
});
export type TonElection = z.infer<typeof tonElection>;

/** Data of `ton.elections`. */
export const tonElectionsObserved = z.object({
  /** Elections whose validators are known, oldest first: those whose stakes the elector still holds. */
  elections: z.array(tonElection),
  /** The election that takes stakes now; null between elections. */
  openElection: z.int().nullable(),
  /** Start of the present round: `utime_since` of the current validators. */
  roundStart: z.int(),
  /** Seconds that validators are elected for. */
  roundSeconds: z.int().min(1),
});
export type TonElectionsObserved = z.infer<typeof tonElectionsObserved>;
