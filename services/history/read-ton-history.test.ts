import type { TonHistoryEntry, TonTransactions } from '../../projections/ton/transactions/queries';
import { readTonHistory } from './read-ton-history';

const account = { chain: 'ton', network: 'mainnet', address: `0:${'0'.repeat(64)}`, watch: 1 } as const;
const again = { ...account, watch: 2 };
const call = new AbortController();
const tx = (lt: string, prev: string) => ({ lt, prev }) as TonHistoryEntry;

/** A history that grows at every wait for a change. */
function growing(
  ...states: { page: TonHistoryEntry[]; isFull: boolean; newest: string | null; backfilled: number }[]
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

const nothing = { page: [], isFull: false, newest: null, backfilled: 0 };
const all = { page: [tx('5', '0')], isFull: true, newest: '5', backfilled: 1 };

describe('reading the history of a TON account', () => {
  it('waits for the first page', async () => {
    const read = growing(nothing, { ...all, backfilled: 0 });
    const page = await read(account, { limit: 5 }, call);
    expect(page).toMatchObject({ transactions: all.page, complete: true });
  });

  it('does not wait for an account without transactions whose backfill is complete', async () => {
    const read = growing(nothing, { ...nothing, backfilled: 1 });
    expect((await read(account, { limit: 5 }, call)).transactions).toEqual([]);
  });

  it('waits for a transaction that the client has seen already', async () => {
    const read = growing(all, { ...all, page: [tx('9', '5'), tx('5', '0')], newest: '9' });
    expect((await read(account, { limit: 5, from: '9' }, call)).transactions[0]!.lt).toBe('9');
  });

  it('is woken by changes of its own account', async () => {
    const waitForChange = jest.fn(async () => undefined);
    const transactions = {
      page: async () => ({ transactions: [], isFull: false, hasMore: false }),
      account: async () => null,
      waitForChange,
    } as unknown as TonTransactions;
    await readTonHistory({ transactions, waitMs: 5 })(account, { limit: 5 }, call);
    expect(waitForChange).toHaveBeenCalledWith('mainnet', account.address, expect.any(Number));
  });

  it('returns what there is when the wait ends', async () => {
    const read = growing(nothing);
    expect(await read(account, { limit: 5 }, call)).toMatchObject({ transactions: [], complete: false });
  });

  describe('of an account that was forgotten and is watched again', () => {
    const newer = { page: [tx('9', '7'), tx('7', '5')], isFull: true, newest: '9', backfilled: 2 };

    it('waits for the transactions since it was forgotten', async () => {
      const read = growing(all, newer);
      expect(await read(again, { limit: 5 }, call)).toMatchObject({
        transactions: newer.page,
        complete: true,
      });
    });

    it('serves what was known when the wait ends, as incomplete', async () => {
      expect(await growing(all)(again, { limit: 5 }, call)).toMatchObject({
        transactions: all.page,
        complete: false,
      });
    });

    it('serves nothing of a page whose beginning is missing: older ones would follow after a gap', async () => {
      const tailed = { ...all, newest: '9' };
      expect(await growing(tailed)(again, { limit: 5, from: '7' }, call)).toEqual({
        transactions: [],
        isFull: false,
        hasMore: true,
        complete: false,
      });
    });

    it('does not wait for a page that begins where it was asked to', async () => {
      const read = growing({ ...newer, backfilled: 1 }, newer);
      expect(await read(again, { limit: 2, from: '9' }, call)).toMatchObject({ complete: true });
    });

    it('serves what is known while the number of the watch is not', async () => {
      const read = growing(all);
      expect(await read({ ...account, watch: null }, { limit: 5 }, call)).toMatchObject({ complete: true });
    });
  });
});
