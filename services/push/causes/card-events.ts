import { LRUCache } from 'lru-cache';
import { categoryOf } from '../../../contracts/category';
import { atMost } from '../../../contracts/engine/cache-bounds';
import { CARD_CATEGORY } from '../../../contracts/events/card';
import {
  CARD_ACCOUNT_CATEGORY,
  cardAccountEvents,
  cardAccountStream,
} from '../../../contracts/events/card-account';
import { CARD_CHALLENGE_CATEGORY, cardChallengeEvents } from '../../../contracts/events/card-challenge';
import { accountKey, type AccountRef } from '../../../contracts/network/network';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';
import type { NotifiedCardEvent, PushCause } from '../../../contracts/push/push-cause';
import { shownCardEvent, type CardHistoryEvent } from '../../../projections/card/history';
import { areFollowed } from '../../../projections/push/devices';
import type { Views } from '../../../projections/views';
import type { Reaction } from '../../reactions/event-reaction';
import { causeJob } from './reactions';
import { createRegistrationsWait } from './registrations';

/** Of the rest the holder is the cause, or need not know at once. */
const WORDS: Readonly<Partial<Record<string, NotifiedCardEvent>>> = {
  CardIssued: 'card_ready',
  CardFrozen: 'card_freeze',
  CardUnfrozen: 'card_unfreeze',
  CardBlocked: 'card_block',
  CardClosed: 'contract_closed',
  CardIssuingFailed: 'contract_closed',
  CardReplaced: 'contract_closed',
  CardAccountToppedUp: 'deposit',
  CardPurchaseAuthorised: 'charge',
  CardPurchaseIncremented: 'charge',
  CardPurchaseCleared: 'charge',
  CardChargebackReversed: 'charge',
  CardPurchaseDeclined: 'charge_failed',
  CardPurchaseReversed: 'charge_back',
  CardPurchaseVoided: 'charge_back',
  CardPurchaseRefunded: 'charge_back',
  CardPurchaseChargedBack: 'charge_back',
};

const MAX_OWNERS = 10_000;

export interface CardEventCausesDeps {
  readonly store: Pick<EventStore, 'head' | 'readStream'>;
  readonly views: () => Pick<Views, 'getMany' | 'waitForPosition'>;
}

/** What happens to cards and their accounts, where a device follows the wallet that the account belongs to. */
export function cardEventCauses({ store, views }: CardEventCausesDeps): Reaction {
  const untilRegistered = createRegistrationsWait({ views, store });
  const owners = new LRUCache<string, AccountRef>(atMost(MAX_OWNERS));
  return {
    name: 'push-card-events',
    categories: [CARD_CATEGORY, CARD_ACCOUNT_CATEGORY, CARD_CHALLENGE_CATEGORY],
    from: 'now',
    async jobs(recorded) {
      const happened = happenedIn(recorded);
      if (!happened) return [];
      const { accountId } = happened;
      const account = owners.get(accountId) ?? (await ownerOf(store, accountId));
      if (!account) return [];
      owners.set(accountId, account);
      await untilRegistered();
      const [isFollowed] = await areFollowed(views(), [accountKey(account)]);
      return isFollowed ? [causeJob({ kind: 'card_event', account, ...happened })] : [];
    },
  };
}

type Happened = Omit<Extract<PushCause, { kind: 'card_event' }>, 'kind' | 'account'>;

function happenedIn(recorded: RecordedEvent): Happened | null {
  if (categoryOf(recorded.stream) === CARD_CHALLENGE_CATEGORY) {
    const { type, data } = cardChallengeEvents.read(recorded);
    if (type !== 'CardChallengeReceived') return null;
    const { kind: event, challengeId: eventId, accountId, cardId, expiresAt, at } = data;
    return { event, eventId, accountId, cardId, expiresAt, at };
  }
  const shown = shownCardEvent(recorded);
  if (!shown) return null;
  const { data } = shown;
  const event = wordOf(shown);
  if (!event) return null;
  if ('by' in data && data.by === 'holder') return null;
  const cardId = 'cardId' in data ? data.cardId : null;
  const { accountId, at } = data;
  return { event, eventId: recorded.id, accountId, cardId, expiresAt: null, at };
}

function wordOf({ type, data }: CardHistoryEvent): NotifiedCardEvent | undefined {
  if (type === 'CardChangeRefused') return data.to === 'frozen' ? 'card_freeze' : 'card_unfreeze';
  // Less was cleared than was authorised.
  if (type === 'CardPurchaseCleared' && data.charged.startsWith('-')) return 'charge_back';
  return WORDS[type];
}

/** The wallet that an account belongs to; null where its stream does not say so any more. */
async function ownerOf(store: Pick<EventStore, 'readStream'>, accountId: string): Promise<AccountRef | null> {
  for await (const recorded of store.readStream(cardAccountStream(accountId))) {
    const { type, data } = cardAccountEvents.read(recorded);
    return type === 'CardAccountOpened' ? data.owner : null;
  }
  return null;
}
