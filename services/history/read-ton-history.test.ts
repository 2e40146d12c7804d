import type { TonHistoryTransaction, TonTransactions } from '../../projections/ton/transactions/queries';
import { readTonHistory } from './read-ton-history';

const account = { chain: 'ton', network: 'mainnet', address: `0:${'0'.repeat(64)}` } as const;
const { signal } = new AbortController();
const tx = (lt: string, prev: string) => ({ lt, prev: { lt: prev } }) as TonHistoryTransaction;

/** A history that grows at every wait for a change. */
function growing(
  ...states: { page: TonHistoryTransaction[]; isFull: boolean; newest: string | null; backfilled: boolean }[]
) {
  let at = 0;
  const transactions: TonTransactions = {
    page: async () => ({ transactions: states[at]!.page, isFull: states[at]!.isFull, hasMore: false }),
    account: async () => states[at]!,
    withLts: async () => [],
    status: async () => null,
    sources: () => [],
    waitForChange: async () => void (at = Math.min(at + 1, states.length - 1)),
  };
  return readTonHistory({ transactions, waitMs: 50 });
}

const nothing = { page: [], isFull: false, newest: null, backfilled: false };
const all = { page: [tx('5', '0')], isFull: true, newest: '5', backfilled: true };

describe('reading the history of a TON account', () => {
  it('waits for the first page', async () => {
    const read = growing(nothing, { ...all, backfilled: false });
    const page = await read(account, { limit: 5 }, signal);
    expect(page).toMatchObject({ transactions: all.page, complete: true });
  });

  it('does not wait for an account without transactions whose backfill is complete', async () => {
    const read = growing(nothing, { ...nothing, backfilled: true });
    expect((await read(account, { limit: 5 }, signal)).transactions).toEqual([]);
  });

  it('waits for a transaction that the client has seen already', async () => {
    const read = growing(all, { ...all, page: [tx('9', '5'), tx('5', '0')], newest: '9' });
    expect((await read(account, { limit: 5, from: '9' }, signal)).transactions[0]!.lt).toBe('9');
  });

  it('returns what there is when the wait ends', async () => {
    const read = growing(nothing);
    expect(await read(account, { limit: 5 }, signal)).toMatchObject({ transactions: [], complete: false });
  });
});
