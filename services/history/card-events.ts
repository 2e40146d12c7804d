import type {
  CardHistoryItem,
  HistoryItem,
  MergedCursor,
  TonPageV2,
} from '../../contracts/http/history/history';
import { jsonObject, JsonText } from '../../contracts/json/json-text';
import type { ReadCardEvents } from '../card-events';
import type { ReadList } from '../reads/read-list';
import { mergeSources, type TimelineSource } from './merge';
import type { FollowedTonAccount, ReadTonHistory } from './read-ton-history';
import { tonSource, type TonItem } from './wallet';

interface CardItem {
  readonly kind: 'holders';
  readonly place: string;
  /** Unix seconds, with a fraction. */
  readonly time: number;
  readonly served: () => JsonText<CardHistoryItem>;
}

function cardSource(read: ReadCardEvents, from: string | null): TimelineSource<CardItem> {
  let before = from;
  return async limit => {
    const { events, more } = await read({ before, limit });
    before = events.at(-1)?.place ?? before;
    const items = events.map(({ place, event }): CardItem => {
      const served = () => new JsonText<CardHistoryItem>(JSON.stringify({ type: 'holders', data: event }));
      return { kind: 'holders', place, time: event.time / 1_000, served };
    });
    return { items, more };
  };
}

/** A page of transactions and card events in one order of time. After it each continues where it has ended. */
export async function readWithCardEvents(
  { read, cards }: { readonly read: ReadTonHistory; readonly cards: ReadCardEvents },
  account: FollowedTonAccount,
  { cursor: from, limit }: { readonly cursor: MergedCursor; readonly limit: number },
  readList: ReadList,
): Promise<JsonText<TonPageV2>> {
  const { items, hasMore } = await mergeSources<CardItem | TonItem>(
    [tonSource(read, account, from.ton?.lt, readList), cardSource(cards, from.holders?.fromCursor ?? null)],
    limit,
  );
  const cursor: MergedCursor = { ...from };
  for (const item of items)
    if (item.kind === 'ton') cursor.ton = { lt: item.lt, hash: item.hash };
    else cursor.holders = { fromCursor: item.place };
  const data: JsonText<HistoryItem | CardHistoryItem>[] = items.map(item => item.served());
  return jsonObject<TonPageV2>({ data, hasMore, ...(hasMore && { cursor }) });
}
