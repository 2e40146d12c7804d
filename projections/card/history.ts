import { CARD_CATEGORY, cardEvents, type CardEvent } from '../../contracts/events/card';
import {
  CARD_ACCOUNT_CATEGORY,
  cardAccountEvents,
  type CardAccountEvent,
} from '../../contracts/events/card-account';
import type { JsonObject } from '../../contracts/json/json';
import type { CollectionSpec, Document, Filter } from '../../contracts/ports/documents';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

type Shown<Type extends (CardEvent | CardAccountEvent)['type']> = Extract<
  CardEvent | CardAccountEvent,
  { type: Type }
>;

const SHOWN_OF_CARD = [
  'CardPaid',
  'CardIssued',
  'CardFrozen',
  'CardUnfrozen',
  'CardBlocked',
  'CardClosed',
] as const;
const SHOWN_OF_ACCOUNT = [
  'CardAccountToppedUp',
  'CardAccountTopUpReversed',
  'CardAccountLimitsChanged',
  'CardTransferSent',
  'CardTransferReceived',
  'CardPurchaseAuthorised',
  'CardPurchaseIncremented',
  'CardPurchaseDeclined',
  'CardPurchaseReversed',
  'CardPurchaseCleared',
  'CardPurchaseRefunded',
  'CardPurchaseChargedBack',
  'CardChargebackReversed',
] as const;

/** What holders are shown of a card or its account. */
export type CardHistoryEvent = Shown<(typeof SHOWN_OF_CARD)[number] | (typeof SHOWN_OF_ACCOUNT)[number]>;

/** An event by its id. */
export type CardHistoryDocument = Document & {
  /** The card that it is of, or else the account. */
  readonly subject: string;
  readonly userId: string;
  /** Its position. */
  readonly number: number;
  /** RFC 3339 UTC instant: when it happened, by who says so. */
  readonly at: string;
  /** A `CardHistoryEvent`. */
  readonly event: JsonObject;
};

export const CARD_HISTORY: CollectionSpec = {
  name: 'card_history',
  indexes: [
    {
      fields: [
        ['subject', 'asc'],
        ['number', 'desc'],
      ],
    },
  ],
};

/** What happened to cards and their accounts, as their holders see it. */
export const cardHistoryProjection: EventProjection = {
  name: 'card-history',
  version: 1,
  categories: [CARD_CATEGORY, CARD_ACCOUNT_CATEGORY],
  collections: [CARD_HISTORY],
  touches(recorded) {
    return shown(recorded) ? [{ collection: CARD_HISTORY.name, id: recorded.id }] : [];
  },
  fold(_document, recorded, { id }) {
    const event = shown(recorded)!;
    const { data } = event;
    const subject = ('cardId' in data ? data.cardId : null) ?? data.accountId;
    const at = 'entry' in data ? data.entry.at : data.at;
    return {
      ...{ _id: id, subject, userId: data.userId, number: recorded.position, at },
      event: event as unknown as JsonObject,
    };
  },
};

/** Null for an event that holders are not shown. */
function shown(recorded: RecordedEvent): CardHistoryEvent | null {
  const isOfAccount = recorded.stream.startsWith(`${CARD_ACCOUNT_CATEGORY}-`);
  const { type, data } = isOfAccount ? cardAccountEvents.read(recorded) : cardEvents.read(recorded);
  const types: readonly string[] = isOfAccount ? SHOWN_OF_ACCOUNT : SHOWN_OF_CARD;
  // Any other was shown when it was authorised.
  if (type === 'CardPurchaseCleared' && !data.forced) return null;
  return types.includes(type) ? ({ type, data } as CardHistoryEvent) : null;
}

export interface CardHistoryPage {
  readonly documents: readonly CardHistoryDocument[];
  /** Whether there are more. */
  readonly more: boolean;
}

/**
 * What happened to cards and accounts, newest first unless told otherwise.
 * @param subjects ids of cards and accounts
 * @param after the number of the last event of the page before; null for the first page
 */
export async function findCardHistory(
  views: Pick<Views, 'find'>,
  subjects: readonly string[],
  {
    after,
    order,
    limit,
  }: { readonly after: number | null; readonly order: 'asc' | 'desc'; readonly limit: number },
): Promise<CardHistoryPage> {
  const beyond = after === null ? {} : { number: order === 'asc' ? { gt: after } : { lt: after } };
  const filter: Filter = {
    subject: { in: subjects },
    ...beyond,
  };
  const query = { filter, order: [['number', order]] as const, limit: limit + 1 };
  const { documents } = await views.find<CardHistoryDocument>(CARD_HISTORY.name, query);
  return { documents: documents.slice(0, limit), more: documents.length > limit };
}
