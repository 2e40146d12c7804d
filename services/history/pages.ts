import type { HistoryItem } from '../../contracts/http/history';
import type { StoredTransaction } from '../../contracts/http/stored-transaction';
import type { TonNetwork } from '../../contracts/network';
import type { TonHistoryPage } from '../../projections/ton/transactions/queries';
import { addressFormatter } from './format-address';
import { storedTransaction } from './stored-transaction';

const stored = ({ transactions }: TonHistoryPage, network: TonNetwork): StoredTransaction[] => {
  const format = addressFormatter(network);
  return transactions.map(tx => storedTransaction(tx, format));
};

export function tonItems(page: TonHistoryPage, network: TonNetwork): HistoryItem[] {
  return stored(page, network).map(data => ({ type: 'ton', data }));
}

export function pageV1(page: TonHistoryPage, network: TonNetwork) {
  return {
    transactions: stored(page, network),
  };
}

export function pageV2(page: TonHistoryPage, network: TonNetwork) {
  const data = tonItems(page, network);
  const last = page.transactions.at(-1);
  return last && page.hasMore
    ? { data, hasMore: true, cursor: { ton: { lt: last.lt, hash: last.hash } } }
    : { data, hasMore: false };
}
