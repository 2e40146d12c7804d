import { CARD_CATEGORY, cardEvents } from '../../contracts/events/card';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';
import { cardAfter, type CardState } from './card-state';

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

/** Cards, as their streams say. */
export const cardsProjection: EventProjection = {
  name: 'cards',
  version: 1,
  categories: [CARD_CATEGORY],
  collections: [CARDS],
  touches(recorded) {
    return [{ collection: CARDS.name, id: cardEvents.read(recorded).data.cardId }];
  },
  fold(document, recorded, { id }) {
    const event = cardEvents.read(recorded);
    const before = document as CardDocument | null;
    const after = cardAfter(before, event);
    return after && { ...after, _id: id, number: before?.number ?? event.position };
  },
};

/** Cards of a user beyond these are not listed: closed ones count. */
const MAX_LISTED = 500;

/** Those of a user, in the order in which they were ordered. */
export async function findCardsOf(
  views: Pick<Views, 'find'>,
  userId: string,
): Promise<readonly CardDocument[]> {
  const query = { filter: { userId }, order: [['number', 'asc']], limit: MAX_LISTED } as const;
  return (await views.find<CardDocument>(CARDS.name, query)).documents;
}

/** Those of an account, in the order in which they were ordered. */
export async function findCardsOfAccount(
  views: Pick<Views, 'find'>,
  accountId: string,
): Promise<readonly CardDocument[]> {
  const query = { filter: { accountId }, order: [['number', 'asc']], limit: MAX_LISTED } as const;
  return (await views.find<CardDocument>(CARDS.name, query)).documents;
}
