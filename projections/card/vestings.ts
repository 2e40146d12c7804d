import { CARD_VESTING_CATEGORY, cardVestingEvents } from '../../contracts/events/card-vesting';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';
import { userChange, userChanges } from './user-changes';
import { nextPayoutAt } from './vesting-schedule';
import { vestingAfter, type CardVesting } from './vesting-state';

/** A vesting account by its id. */
export type CardVestingDocument = Document &
  CardVesting & {
    /** Position of its first event. */
    readonly number: number;
    readonly beneficiaryUserId: string;
    /** RFC 3339 UTC instant; null while there is nothing to pay out. */
    readonly nextPayoutAt: string | null;
  };

export const CARD_VESTINGS: CollectionSpec = {
  name: 'card_vestings',
  indexes: [
    {
      fields: [
        ['userId', 'asc'],
        ['number', 'asc'],
      ],
    },
    {
      fields: [
        ['beneficiaryUserId', 'asc'],
        ['number', 'asc'],
      ],
    },
    { fields: [['nextPayoutAt', 'asc']] },
  ],
};

/** Of their creators and beneficiaries. */
export const CARD_VESTING_CHANGES = userChanges('card_vesting_changes');

/** Vesting accounts, as their streams say. */
export const cardVestingsProjection: EventProjection = {
  name: 'card-vestings',
  version: 1,
  categories: [CARD_VESTING_CATEGORY],
  collections: [CARD_VESTINGS, CARD_VESTING_CHANGES],
  touches(recorded) {
    const { type, data } = cardVestingEvents.read(recorded);
    const other = type === 'CardVestingOpened' ? data.beneficiary.userId : data.beneficiaryUserId;
    return [
      { collection: CARD_VESTINGS.name, id: data.vestingId },
      ...[...new Set([data.userId, other])].map(id => ({ collection: CARD_VESTING_CHANGES.name, id })),
    ];
  },
  fold(document, recorded, { collection, id }) {
    if (collection === CARD_VESTING_CHANGES.name) return userChange(id, recorded);
    const before = document as CardVestingDocument | null;
    const after = vestingAfter(before, cardVestingEvents.read(recorded));
    if (!after) return null;
    return {
      ...after,
      _id: id,
      number: before?.number ?? recorded.position,
      beneficiaryUserId: after.beneficiary.userId,
      nextPayoutAt: nextPayoutAt(after),
    } as unknown as CardVestingDocument;
  },
};

const MAX_LISTED = 500;

/** Those that a user has created, or is paid by, in the order in which they were opened. */
export function findCardVestings(
  views: Pick<Views, 'cached' | 'find'>,
  by: { readonly userId: string } | { readonly beneficiaryUserId: string },
): Promise<readonly CardVestingDocument[]> {
  const part = 'userId' in by ? by.userId : by.beneficiaryUserId;
  const query = { filter: by, order: [['number', 'asc']], limit: MAX_LISTED } as const;
  return views.cached(
    { key: ['card vestings', by], sources: [{ collection: CARD_VESTING_CHANGES.name, part }] },
    async () => (await views.find<CardVestingDocument>(CARD_VESTINGS.name, query)).documents,
  );
}

/** Those of which a period has ended, the longest ago first. @param now RFC 3339 UTC instant */
export async function findDueVestings(
  views: Pick<Views, 'find'>,
  now: string,
  limit: number,
): Promise<readonly CardVestingDocument[]> {
  const query = { filter: { nextPayoutAt: { lte: now } }, order: [['nextPayoutAt', 'asc']], limit } as const;
  return (await views.find<CardVestingDocument>(CARD_VESTINGS.name, query)).documents;
}
