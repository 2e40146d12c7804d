import type { HistoryItem, TonPageV1, TonPageV2 } from '../../contracts/http/history/history';
import type { StoredTransaction } from '../../contracts/http/history/stored-transaction';
import { jsonObject, JsonText } from '../../contracts/json/json-text';
import type { TonHistoryPage } from '../../projections/ton/transactions/queries';

/** Of each row its item: rows are shared by the pages that are read again and again. */
const items = new WeakMap<JsonText<unknown>, JsonText<HistoryItem>>();

/** An item of a page, from the row that is stored of its transaction. */
export function historyItem<Type extends HistoryItem['type']>(
  type: Type,
  row: JsonText<Extract<HistoryItem, { type: Type }>['data']>,
): JsonText<HistoryItem> {
  const known = items.get(row);
  if (known) return known;
  const item = new JsonText<HistoryItem>([Buffer.from(`{"type":"${type}","data":${row.text}}`)]);
  items.set(row, item);
  return item;
}

/** Quotation marks within a text are escaped, so that this is always a member. */
const ADDRESS_MEMBER = /"(?:address|resolvedAddress|dest)":"([^"\\]{48})"/g;

/** The addresses that a row is about: the other side, and all receivers. Rows are not parsed. */
export function addressesOf(row: JsonText<StoredTransaction>): string[] {
  return [...row.text.matchAll(ADDRESS_MEMBER)].map(([, address]) => address!);
}

/** The answer of `/transactions/{address}`, made of the stored bytes of its rows. */
export function pageV1({ transactions }: TonHistoryPage): JsonText<TonPageV1> {
  return jsonObject<TonPageV1>({ transactions: transactions.map(({ row }) => row) });
}

/** The answer of `/transactions/v2/{address}`; its cursor continues after the last row. */
export function pageV2({ transactions, hasMore }: TonHistoryPage): JsonText<TonPageV2> {
  const data = transactions.map(({ row }) => historyItem('ton', row));
  const last = transactions.at(-1);
  return last && hasMore
    ? jsonObject<TonPageV2>({ data, hasMore: true, cursor: { ton: { lt: last.lt, hash: last.hash } } })
    : jsonObject<TonPageV2>({ data, hasMore: false });
}
