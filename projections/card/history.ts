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
import { userChange, userChanges } from './user-changes';

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
  'CardChangeRefused',
  'CardIssuingFailed',
  'CardReplaced',
] as const;
const SHOWN_OF_ACCOUNT = [
  'CardAccountToppedUp',
  'CardAccountTopUpReversed',
  'CardAccountLimitsChanged',
  'CardFeeReturned',
  'CardTransferSent',
  'CardTransferReceived',
  'CardPurchaseAuthorised',
  'CardPurchaseIncremented',
  'CardPurchaseDeclined',
  'CardPurchaseReversed',
  'CardPurchaseVoided',
  'CardPurchaseExpired',
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
  /** In the order of time: `cardHistoryPlace`. */
  readonly place: string;
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
    {
      fields: [
        ['subject', 'asc'],
        ['place', 'desc'],
      ],
    },
  ],
};

/** Of the users to whom the cards and accounts belong. */
export const CARD_HISTORY_CHANGES = userChanges('card_history_changes');

/** The place of an event among those of its time and of others: the instant with milliseconds, and the position. */
function cardHistoryPlace(at: string, number: number): string {
  return `${new Date(at).toISOString()}/${String(number).padStart(15, '0')}`;
}

/** What happened to cards and their accounts, as their holders see it. */
export const cardHistoryProjection: EventProjection = {
  name: 'card-history',
  version: 5,
  categories: [CARD_CATEGORY, CARD_ACCOUNT_CATEGORY],
  collections: [CARD_HISTORY, CARD_HISTORY_CHANGES],
  touches(recorded) {
    const event = shownCardEvent(recorded);
    if (!event) return [];
    return [
      { collection: CARD_HISTORY.name, id: recorded.id },
      { collection: CARD_HISTORY_CHANGES.name, id: event.data.userId },
    ];
  },
  fold(_document, recorded, { collection, id }) {
    if (collection === CARD_HISTORY_CHANGES.name) return userChange(id, recorded);
    const event = shownCardEvent(recorded)!;
    const { data } = event;
    const subject = ('cardId' in data ? data.cardId : null) ?? data.accountId;
    const at = 'entry' in data ? data.entry.at : data.at;
    return {
      _id: id,
      subject,
      userId: data.userId,
      number: recorded.position,
      at,
      place: cardHistoryPlace(at, recorded.position),
      event: event as unknown as JsonObject,
    };
  },
};

/** An event of a card or of an account as holders are shown it; null for one that they are not. */
export function shownCardEvent(recorded: RecordedEvent): CardHistoryEvent | null {
  const isOfAccount = recorded.stream.startsWith(`${CARD_ACCOUNT_CATEGORY}-`);
  const { type, data } = isOfAccount ? cardAccountEvents.read(recorded) : cardEvents.read(recorded);
  const types: readonly string[] = isOfAccount ? SHOWN_OF_ACCOUNT : SHOWN_OF_CARD;
  // A fork has taken the transfer back before it was credited.
  if (type === 'CardAccountTopUpReversed' && data.amount === '0') return null;
  // Of what was authorised and is cleared as it was, nothing is new.
  if ('charged' in data && data.charged === '0') return null;
  // Nothing was held.
  if ((type === 'CardPurchaseVoided' || type === 'CardPurchaseExpired') && !data.released) return null;
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

export interface CardHistoryTimeQuery {
  readonly before: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number;
}

/** Subjects of one query. */
const MAX_SUBJECTS = 100;

/**
 * What happened to cards and accounts, in the order of time, newest first: what the issuer says late is where it belongs.
 * @param subjects ids of cards and accounts
 * @param before the place of the last event of the page before; null for the first page
 * @param from, to RFC 3339 instants, both included; null without a bound
 */
export async function findCardHistoryByTime(
  views: Pick<Views, 'find'>,
  subjects: readonly string[],
  { before, from, to, limit }: CardHistoryTimeQuery,
): Promise<CardHistoryPage> {
  // A place goes on with `/`, and is less than the instant that `0` follows.
  const end = to === null ? null : `${new Date(to).toISOString()}0`;
  const [lt] = [before, end].filter(bound => bound !== null).sort();
  const place = {
    ...(lt !== undefined && { lt }),
    ...(from !== null && { gte: new Date(from).toISOString() }),
  };
  const isBounded = Object.keys(place).length > 0;
  const read = (part: readonly string[]) =>
    views.find<CardHistoryDocument>(CARD_HISTORY.name, {
      filter: { subject: { in: part }, ...(isBounded && { place }) },
      order: [['place', 'desc']],
      limit: limit + 1,
    });
  const parts = Array.from({ length: Math.ceil(subjects.length / MAX_SUBJECTS) }, (_, part) =>
    subjects.slice(part * MAX_SUBJECTS, (part + 1) * MAX_SUBJECTS),
  );
  const pages = await Promise.all(parts.map(read));
  const found = pages.flatMap(({ documents }) => documents);
  if (pages.length > 1) found.sort((one, other) => (one.place < other.place ? 1 : -1));
  return { documents: found.slice(0, limit), more: found.length > limit };
}
