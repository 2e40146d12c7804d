import type { HistoryItem, TonPageV1, TonPageV2 } from '../../contracts/http/history';
import { jsonObject, JsonText } from '../../contracts/json-text';
import type { TonHistoryPage } from '../../projections/ton/transactions/queries';

/** An item of a page, from the row that is stored of its transaction. */
export function historyItem<Type extends HistoryItem['type']>(
  type: Type,
  row: JsonText<Extract<HistoryItem, { type: Type }>['data']>,
): JsonText<HistoryItem> {
  return new JsonText(`{"type":"${type}","data":${row.text}}`);
}

export function pageV1({ transactions }: TonHistoryPage): JsonText<TonPageV1> {
  return jsonObject<TonPageV1>({ transactions: transactions.map(({ row }) => row) });
}

export function pageV2({ transactions, hasMore }: TonHistoryPage): JsonText<TonPageV2> {
  const data = transactions.map(({ row }) => historyItem('ton', row));
  const last = transactions.at(-1);
  return last && hasMore
    ? jsonObject<TonPageV2>({ data, hasMore: true, cursor: { ton: { lt: last.lt, hash: last.hash } } })
    : jsonObject<TonPageV2>({ data, hasMore: false });
}
