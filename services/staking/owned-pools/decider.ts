import type { CommandMetadata } from '../../../contracts/decider';
import {
  ownedPoolEvents,
  type OwnedPoolEvent,
  type RecordedShare,
} from '../../../contracts/events/owned-pool';
import type { StreamKind } from '../../commands/stream-kind';

/** The end of a round: on a fork another transaction may have the same logical time. */
type End = Pick<RecordedShare, 'lt' | 'hash'>;

export interface RecordShares {
  readonly type: 'record';
  /** The ends of all rounds of the pool that are on the chain now. */
  readonly ends: readonly End[];
  /** What the owner has earned in those that are known, oldest first. */
  readonly shares: readonly Omit<RecordedShare, 'occurrence' | 'at'>[];
  readonly metadata: CommandMetadata;
}

/** The newest that was recorded of each end. */
type Shares = ReadonlyMap<string, RecordedShare & { readonly isRetracted: boolean }>;

const keyOf = ({ lt, hash }: End): string => `${lt}/${hash}`;

/** Each round that has ended is earned once, and retracted when its end is not on the chain any more. */
export const ownedPoolKind: StreamKind<Shares, RecordShares, OwnedPoolEvent> = {
  events: ownedPoolEvents,
  decider: {
    initial: () => new Map(),
    evolve: (shares, { type, data }) =>
      new Map([...shares, [keyOf(data), { ...data, isRetracted: type === 'OwnerShareRetracted' }]]),
    decide(shares, { ends, shares: known, metadata: { now: at } }) {
      const onChain = new Set(ends.map(keyOf));
      const retracted = [...shares.values()].filter(each => !each.isRetracted && !onChain.has(keyOf(each)));
      const earned = known.filter(({ share, ...end }) => {
        const isBooked = shares.get(keyOf(end))?.isRetracted === false;
        return !isBooked && onChain.has(keyOf(end)) && share !== '0';
      });
      return [
        ...retracted.map(({ isRetracted: _, ...data }) => ({
          type: 'OwnerShareRetracted' as const,
          data: { ...data, at },
        })),
        ...earned.map(data => ({
          type: 'OwnerShareEarned' as const,
          data: { ...data, occurrence: (shares.get(keyOf(data))?.occurrence ?? 0) + 1, at },
        })),
      ];
    },
  },
};
