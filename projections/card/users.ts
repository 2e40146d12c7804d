import { CARD_USER_CATEGORY, cardUserEvents } from '../../contracts/events/card-user';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';
import { foldCardUser, type CardUser } from './fold-user';

/** The id is that of the user. */
export type CardUserDocument = Document & CardUser;

export const CARD_USERS: CollectionSpec = { name: 'card_users', indexes: [], counts: [[], ['source']] };

export const cardUsersProjection: EventProjection = {
  name: 'card-users',
  version: 1,
  categories: [CARD_USER_CATEGORY],
  collections: [CARD_USERS],
  touches: recorded => [{ collection: CARD_USERS.name, id: cardUserEvents.read(recorded).data.userId }],
  fold(document, recorded, { id }) {
    const user = foldCardUser(document as CardUserDocument | null, cardUserEvents.read(recorded));
    return user && ({ ...user, _id: id } as unknown as CardUserDocument);
  },
};

export function findCardUser(
  views: Pick<Views, 'cached' | 'get'>,
  userId: string,
): Promise<CardUserDocument | null> {
  const query = { key: ['card user', userId], sources: [{ collection: CARD_USERS.name, part: userId }] };
  return views.cached(query, () => views.get<CardUserDocument>(CARD_USERS.name, userId));
}
