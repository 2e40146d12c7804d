import { CARD_CATEGORY, cardEvents } from '../../contracts/events/card';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';
import { cardAfter, type CardState } from './card-state';
import { userChange, userChanges } from './user-changes';

/** A card by its id. */
export type CardDocument = Document &
  CardState & {
    /** Position of its first event. */
    readonly number: number;
  };

export const CARDS: CollectionSpec = {
  name: 'cards',
  indexes: [
    {
      fields: [
        ['userId', 'asc'],
        ['number', 'asc'],
      ],
    },
    {
      fields: [
        ['accountId', 'asc'],
        ['number', 'asc'],
      ],
    },
  ],
};

/** Of their users. */
export const CARD_CHANGES = userChanges('card_changes');

/** Cards, as their streams say. */
export const cardsProjection: EventProjection = {
  name: 'cards',
  version: 3,
  categories: [CARD_CATEGORY],
  collections: [CARDS, CARD_CHANGES],
  touches(recorded) {
    const { cardId, userId } = cardEvents.read(recorded).data;
    return [
      { collection: CARDS.name, id: cardId },
      { collection: CARD_CHANGES.name, id: userId },
    ];
  },
  fold(document, recorded, { collection, id }) {
    if (collection === CARD_CHANGES.name) return userChange(id, recorded);
    const event = cardEvents.read(recorded);
    const before = document as CardDocument | null;
    const after = cardAfter(before, event);
    return after && { ...after, _id: id, number: before?.number ?? event.position };
  },
};

/** Cards of a user beyond these are not listed: closed ones count. */
const MAX_LISTED = 500;

/** Those of a user, in the order in which they were ordered. */
export function findCardsOf(
  views: Pick<Views, 'cached' | 'find'>,
  userId: string,
): Promise<readonly CardDocument[]> {
  const query = { filter: { userId }, order: [['number', 'asc']], limit: MAX_LISTED } as const;
  return views.cached(
    { key: ['cards of a user', userId], sources: [{ collection: CARD_CHANGES.name, part: userId }] },
    async () => (await views.find<CardDocument>(CARDS.name, query)).documents,
  );
}

/** Those of an account, in the order in which they were ordered. */
export async function findCardsOfAccount(
  views: Pick<Views, 'find'>,
  accountId: string,
): Promise<readonly CardDocument[]> {
  const query = { filter: { accountId }, order: [['number', 'asc']], limit: MAX_LISTED } as const;
  return (await views.find<CardDocument>(CARDS.name, query)).documents;
}
