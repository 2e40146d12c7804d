import type { TonHistoryEntry, TonTransactions } from '../../projections/ton/transactions/queries';
import { until } from '../../test/until';
import { listReader } from '../reads/read-list';
import { readTonHistory } from './read-ton-history';

const account = { chain: 'ton', network: 'mainnet', address: `0:${'0'.repeat(64)}`, watch: 1 } as const;
const again = { ...account, watch: 2 };
const NOT_READY = { code: 'not_ready', headers: { 'Retry-After': '2' } };
const tx = (lt: string, prev: string, status = 'success') => ({ lt, prev, status }) as TonHistoryEntry;

interface State {
  readonly page: TonHistoryEntry[];
  readonly isFull: boolean;
  readonly newest: string | null;
  /** By the number of the watch. */
  readonly since?: Readonly<Record<number, bigint>>;
}

/** Reads a history that changes at every wait for a change. The call ends when there is no other change. */
function growing(...states: State[]) {
  return reader(false, ...states);
}

function reader(isIndexed: boolean, ...states: State[]) {
  let at = 0;
  const transactions: TonTransactions = {
    page: async () => ({ transactions: states[at]!.page, isFull: states[at]!.isFull, hasMore: false }),
    account: async () => {
      const { newest, since = {} } = states[at]!;
      return { newest, knownSince: watch => (watch === null ? 0n : (since[watch] ?? null)) };
    },
    withLts: async () => [],
    status: async () => null,
    sources: () => [],
    async waitForChange() {
      if (at + 1 < states.length) at++;
      else call.abort();
    },
  };
  const call = new AbortController();
  const readList = listReader({}, call);
  return async (
    of: Parameters<ReturnType<typeof readTonHistory>>[0],
    query: { limit: number; from?: string },
  ) => (await readTonHistory(transactions, async () => isIndexed)(of, query, readList)).transactions;
}

const nothing: State = { page: [], isFull: false, newest: null };
const part: State = { page: [tx('9', '7')], isFull: false, newest: '9' };
const full: State = { page: [tx('9', '7'), tx('7', '5')], isFull: true, newest: '9' };

describe('reading the history of a TON account', () => {
  it('waits for a full page', async () => {
    expect(await growing(nothing, part, full)(account, { limit: 2 })).toEqual(full.page);
  });

  it('serves a page that is not full once nothing is missing', async () => {
    const all = { ...part, since: { 1: 0n } };
    expect(await growing(nothing, part, all)(account, { limit: 2 })).toEqual(part.page);
    expect(await growing(nothing, { ...nothing, since: { 1: 0n } })(account, { limit: 2 })).toEqual([]);
  });

  it.each([
    ['nothing', nothing],
    ['a part of the page', part],
    ['a part, of a history that is read down to it', { ...part, since: { 1: 9n } }],
  ])('is a 503 when the wait ends with %s', async (_, state) => {
    await expect(growing(state)(account, { limit: 2 })).rejects.toMatchObject(NOT_READY);
  });

  it('waits for a transaction that the client has seen already', async () => {
    const older = { ...full, page: [tx('7', '5'), tx('5', '3')], newest: '7', since: { 1: 0n } };
    expect(await growing(older, full)(account, { limit: 2, from: '9' })).toEqual(full.page);
    await expect(growing(older)(account, { limit: 2, from: '9' })).rejects.toMatchObject(NOT_READY);
  });

  it('serves what is older than a logical time that no transaction has, once the tail has read all blocks', async () => {
    const all = { ...full, since: { 1: 0n } };
    const newer = { ...all, page: [tx('11', '9'), tx('9', '7')], newest: '11' };
    expect(await reader(true, all, newer)(account, { limit: 2, from: '11' })).toEqual(newer.page);
    expect(await reader(true, all)(account, { limit: 2, from: '999' })).toEqual(full.page);
  });

  it('waits for what became of its transactions, and serves them without', async () => {
    const pending = { ...full, page: [tx('9', '7'), tx('7', '5', 'pending')] };
    expect(await growing(pending, full)(account, { limit: 2 })).toEqual(full.page);
    expect(await growing(pending)(account, { limit: 2 })).toEqual(pending.page);
  });

  it('does not wait for one that is on its way', async () => {
    const pending = { ...full, page: [tx('9', '7', 'pending'), tx('7', '5')], since: { 1: 7n } };
    expect(await growing(pending, full)(account, { limit: 2 })).toEqual(pending.page);
  });

  it('is woken by changes of its own account, and by the end of the call', async () => {
    const waitForChange = jest.fn(
      (_network: string, _address: string, _timeoutMs: number, signal?: AbortSignal) =>
        new Promise<void>(resolve => signal!.addEventListener('abort', () => resolve())),
    );
    const transactions = {
      page: async () => ({ transactions: [], isFull: false, hasMore: false }),
      account: async () => null,
      waitForChange,
    } as unknown as TonTransactions;
    const call = new AbortController();
    const reading = readTonHistory(transactions)(account, { limit: 5 }, listReader({}, call));
    await until(() => waitForChange.mock.calls.length > 0);
    call.abort();
    await expect(reading).rejects.toMatchObject(NOT_READY);
    expect(waitForChange).toHaveBeenCalledWith(
      'mainnet',
      account.address,
      expect.any(Number),
      expect.any(AbortSignal),
    );
  });

  describe('of an account that was forgotten and is watched again', () => {
    const before = { ...full, since: { 1: 0n } };

    it('waits for the transactions since it was forgotten, as far as the page goes', async () => {
      const newer = { page: [tx('13', '11'), tx('11', '9')], isFull: true, newest: '13', since: { 2: 11n } };
      expect(await growing(before, newer)(again, { limit: 2 })).toEqual(newer.page);
    });

    it('is a 503 when the wait ends, also where older ones would follow after a gap', async () => {
      await expect(growing(before)(again, { limit: 2 })).rejects.toMatchObject(NOT_READY);
      const tailed = { ...before, newest: '13' };
      await expect(growing(tailed)(again, { limit: 2, from: '11' })).rejects.toMatchObject(NOT_READY);
    });

    it('does not wait for a full page that begins where it was asked to', async () => {
      expect(await growing(before)(again, { limit: 2, from: '9' })).toEqual(full.page);
    });

    it('serves what is known while the number of the watch is not', async () => {
      expect(await growing(part)({ ...account, watch: null }, { limit: 2 })).toEqual(part.page);
    });
  });
});
