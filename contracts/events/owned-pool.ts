import { z } from 'zod';
import { accountKey, TON_NETWORKS, type TonNetwork } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of staking pools that the instance owns, one stream per pool. Billing books what they earn. */
export const OWNED_POOL_CATEGORY = 'ownedPool';

/** @param pool raw */
export function ownedPoolStream(network: TonNetwork, pool: string): string {
  return `${OWNED_POOL_CATEGORY}-${accountKey({ chain: 'ton', network, address: pool })}`;
}

/** Nanotons, decimal; below zero for a loss. */
const nanotons = z.string().regex(/^-?\d+$/);

/** What the owner of a pool has earned in a round for running it. */
const share = z.object({
  network: z.enum(TON_NETWORKS),
  /** Raw. */
  pool: z.string(),
  /** Start of the round in Unix seconds, which is the id of its election. */
  round: z.int(),
  /** Logical time, and hash (base64), of the transaction of the proxy in which the elector gave the stake back. */
  lt: z.string(),
  hash: z.string(),
  /** When that was: RFC 3339 UTC instant with milliseconds. */
  endedAt: z.iso.datetime(),
  /** What the pool has shared out. */
  profit: nanotons,
  /** What of it the owner has got, and what of that its own stake would have earned without a fee. */
  ownerProfit: nanotons,
  stakeProfit: nanotons,
  /** The rest: `ownerProfit` less `stakeProfit`. */
  share: nanotons,
  /** From 1: how often this end of the round was on the chain, which forks may take back. */
  occurrence: z.int().min(1),
  at: z.iso.datetime(),
});

// These types are the storage format.
const earned = eventType({ name: 'OwnerShareEarned', schema: share });
/** A fork has taken back the end of the round. */
const retracted = eventType({ name: 'OwnerShareRetracted', schema: share });

export const ownedPoolEvents = eventFamily(earned, retracted);
export type OwnedPoolEvent = EventOf<typeof earned | typeof retracted>;
export type RecordedShare = OwnedPoolEvent['data'];
