import type { z } from 'zod';
import type { CardEventView, listCardEvents } from '../../../contracts/http/card/accounts';
import type { CardState } from '../../../projections/card/card-state';
import { CARD_HISTORY_CHANGES, findCardHistory } from '../../../projections/card/history';
import type { CardMoneyRoutesDeps } from '../money-deps';
import { eventView } from './event-view';

interface EventList {
  readonly ok: true;
  readonly data: { events: CardEventView[]; more: boolean; cursor: string };
}

type Asked = Pick<z.output<NonNullable<typeof listCardEvents.body>>, 'limit' | 'cursor' | 'order'>;

/**
 * What happened to a card and its account, cached until something of its holder happens.
 * @param card of the caller
 */
export function eventList(
  { views }: Pick<CardMoneyRoutesDeps, 'views'>,
  { cardId, accountId, userId }: Pick<CardState, 'cardId' | 'accountId' | 'userId'>,
  { limit, cursor, order }: Asked,
): Promise<EventList> {
  const isPlace = cursor !== undefined && cursor !== null && cursor !== 'asc' && cursor !== 'desc';
  const direction = order ?? (cursor === 'asc' ? 'asc' : 'desc');
  const page = { after: isPlace ? Number(cursor) : null, order: direction, limit };
  const query = {
    key: ['card events', cardId, page],
    sources: [{ collection: CARD_HISTORY_CHANGES.name, part: userId }],
  };
  return views.cached(query, async () => {
    const { documents, more } = await findCardHistory(views, [cardId, accountId], page);
    const next = documents.at(-1)?.number ?? page.after ?? 0;
    const events = documents.map(document => eventView(document, cardId));
    return { ok: true as const, data: { events, more, cursor: String(next) } };
  });
}
