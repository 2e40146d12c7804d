import {
  CARD_CHALLENGE_CATEGORY,
  cardChallengeEvents,
  type CardChallengeEvent,
} from '../../contracts/events/card-challenge';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** What the issuer asks a card holder, and nobody has answered. */
export type OpenChallenge = Omit<
  Extract<CardChallengeEvent, { type: 'CardChallengeReceived' }>['data'],
  'network' | 'userId'
>;

/** The id is that of the user. */
type OpenChallengesDocument = Document & {
  /** The newest last. Those that expired are in it until the next one is received. */
  readonly challenges: readonly OpenChallenge[];
};

export const CARD_CHALLENGES: CollectionSpec = { name: 'card_challenges', indexes: [] };
/** The last one of a user that was answered or has ended; it changes when the application is to read again. */
export const CARD_CHALLENGE_RESULTS: CollectionSpec = { name: 'card_challenge_results', indexes: [] };

/** Of a user, at a time: older ones are asked no more. */
const MAX_OPEN = 20;

export const cardChallengesProjection: EventProjection = {
  name: 'card-challenges',
  version: 1,
  categories: [CARD_CHALLENGE_CATEGORY],
  collections: [CARD_CHALLENGES, CARD_CHALLENGE_RESULTS],
  touches(recorded) {
    const { type, data } = cardChallengeEvents.read(recorded);
    const open = { collection: CARD_CHALLENGES.name, id: data.userId };
    return type === 'CardChallengeReceived'
      ? [open]
      : [open, { collection: CARD_CHALLENGE_RESULTS.name, id: data.userId }];
  },
  fold(document, recorded, { collection, id }) {
    const event = cardChallengeEvents.read(recorded);
    if (collection === CARD_CHALLENGE_RESULTS.name) return resultAfter(document, event, id);
    const before = (document as OpenChallengesDocument | null)?.challenges ?? [];
    const challenges = openAfter(before, event);
    return challenges.length === 0 ? null : { _id: id, challenges };
  },
};

function openAfter(before: readonly OpenChallenge[], { type, data }: CardChallengeEvent): OpenChallenge[] {
  const others = before.filter(({ challengeId }) => challengeId !== data.challengeId);
  if (type !== 'CardChallengeReceived') return others;
  const { network: _network, userId: _userId, ...challenge } = data;
  const open = others.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.parse(data.at));
  return [...open, challenge].slice(-MAX_OPEN);
}

function resultAfter(
  before: Document | null,
  { type, data: { challengeId, at } }: CardChallengeEvent,
  id: string,
): Document | null {
  if (type === 'CardChallengeRemoved') return before?.['challengeId'] === challengeId ? null : before;
  return { _id: id, challengeId, at };
}

/** The newest that a card holder may still see; null when there is none. */
export async function findOpenChallenge(
  views: Pick<Views, 'get'>,
  userId: string,
  now: Date,
): Promise<OpenChallenge | null> {
  const document = await views.get<OpenChallengesDocument>(CARD_CHALLENGES.name, userId);
  const open = document?.challenges.filter(({ expiresAt }) => Date.parse(expiresAt) > now.getTime());
  return open?.at(-1) ?? null;
}
