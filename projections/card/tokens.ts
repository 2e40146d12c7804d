import { CARD_TOKEN_CATEGORY, cardTokenEvents, type CardTokenEvent } from '../../contracts/events/card-token';
import type { TonNetwork } from '../../contracts/network/network';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** A token, as the events of its stream say. */
export interface CardToken {
  readonly userId: string;
  readonly network: TonNetwork;
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** Times that all tokens of the user had been revoked when it was issued. */
  readonly epoch: number;
  readonly source: string;
  readonly revoked: boolean;
}

/** The id is the SHA-256 of the token, hex. */
export type CardTokenDocument = Document & CardToken;

export const CARD_TOKENS: CollectionSpec = {
  name: 'card_tokens',
  indexes: [
    {
      fields: [
        ['userId', 'asc'],
        ['issuedAt', 'asc'],
      ],
    },
  ],
  counts: [[], ['source']],
};

/** The next state; null before it was issued, and once it was removed. */
export function foldCardToken(token: CardToken | null, { type, data }: CardTokenEvent): CardToken | null {
  if (type === 'CardTokenRemoved') return null;
  if (type === 'CardTokenRevoked') return token && { ...token, revoked: true };
  const { userId, network, at, expiresAt, epoch, source } = data;
  return { userId, network, issuedAt: at, expiresAt, epoch, source, revoked: false };
}

export const cardTokensProjection: EventProjection = {
  name: 'card-tokens',
  version: 1,
  categories: [CARD_TOKEN_CATEGORY],
  collections: [CARD_TOKENS],
  touches: recorded => [{ collection: CARD_TOKENS.name, id: cardTokenEvents.read(recorded).data.digest }],
  fold(document, recorded, { id }) {
    const token = foldCardToken(document as CardTokenDocument | null, cardTokenEvents.read(recorded));
    return token && { ...token, _id: id };
  },
};

/** @param digest SHA-256 of the token, hex */
export function findCardToken(
  views: Pick<Views, 'cached' | 'get'>,
  digest: string,
): Promise<CardTokenDocument | null> {
  const query = { key: ['card token', digest], sources: [{ collection: CARD_TOKENS.name, part: digest }] };
  // Anybody can think of a token that there is not.
  return views.cached(
    query,
    () => views.get<CardTokenDocument>(CARD_TOKENS.name, digest),
    token => token !== null,
  );
}

/** Of a user, the oldest first. */
export async function findCardTokens(
  views: Pick<Views, 'find'>,
  userId: string,
  limit: number,
): Promise<readonly CardTokenDocument[]> {
  const page = await views.find<CardTokenDocument>(CARD_TOKENS.name, {
    filter: { userId },
    order: [['issuedAt', 'asc']],
    limit,
  });
  return page.documents;
}
