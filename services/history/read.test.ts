import { pino } from 'pino';
import type { TonTransaction } from '../../contracts/chain/ton-transaction';
import type { TonTransactions } from '../../projections/ton-transactions/queries';
import { readTonHistory } from './read';

const account = { chain: 'ton', network: 'mainnet', address: `0:${'0'.repeat(64)}` } as const;
const { signal } = new AbortController();
const tx = (lt: string, prev: string): TonTransaction => ({ lt, prev: { lt: prev } }) as TonTransaction;

/** A history that grows when it is waited for. */
function growing(
  ...states: { page: TonTransaction[]; whole: boolean; newest: string | null; backfilled: boolean }[]
) {
  let at = 0;
  const transactions: TonTransactions = {
    page: async () => ({ transactions: states[at]!.page, whole: states[at]!.whole }),
    account: async () => states[at]!,
    changed: async () => void (at = Math.min(at + 1, states.length - 1)),
  };
  const watch = jest.fn(async () => undefined);
  const logger = pino({ level: 'silent' });
  return { read: readTonHistory({ transactions, watch, logger, patience: 50 }), watch };
}

const nothing = { page: [], whole: false, newest: null, backfilled: false };
const all = { page: [tx('5', '0')], whole: true, newest: '5', backfilled: true };

describe('reading the history of a TON account', () => {
  it('has it watched', async () => {
    const { read, watch } = growing(all);
    await read(account, { limit: 5 }, signal);
    expect(watch).toHaveBeenCalledWith(account);
  });

  it('waits for the first page', async () => {
    const { read } = growing(nothing, { ...all, backfilled: false });
    expect((await read(account, { limit: 5 }, signal)).transactions).toHaveLength(1);
  });

  it('takes an account that is read in full without a transaction for empty', async () => {
    const { read } = growing(nothing, { ...nothing, backfilled: true });
    expect((await read(account, { limit: 5 }, signal)).transactions).toEqual([]);
  });

  it('waits for a transaction that the reader has seen already', async () => {
    const { read } = growing(all, { ...all, page: [tx('9', '5'), tx('5', '0')], newest: '9' });
    expect((await read(account, { limit: 5, from: '9' }, signal)).transactions[0]!.lt).toBe('9');
  });

  it('answers with what there is when its patience ends', async () => {
    const { read } = growing(nothing);
    expect((await read(account, { limit: 5 }, signal)).transactions).toEqual([]);
  });

  it('answers also when the account cannot be watched', async () => {
    const { read, watch } = growing(all);
    watch.mockRejectedValueOnce(new Error('the event store is away'));
    expect((await read(account, { limit: 5 }, signal)).transactions).toHaveLength(1);
  });
});
