import type { TonContractObserved, TonContractSubject } from '../../contracts/chain/ton-contract';
import type { Observed, ObservedReader } from '../../contracts/observation/reader';
import { Problem } from '../../contracts/problem/problem';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import type { TonAccount } from '../../contracts/account/ton-account';
import { createContractReader, type ContractReaderDeps, type ContractView } from './read-ton-contract';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const READER = { ip: '192.0.2.1', appendHeader: () => undefined };
const account = (digit: string, network: TonAccount['network'] = 'mainnet'): TonAccount => ({
  chain: 'ton',
  network,
  address: `0:${digit.repeat(64)}`,
});
const data = (state: TonContractObserved['state']): TonContractObserved => ({
  state,
  codeHash: null,
  contract: null,
});

const view: ContractView<TonContractObserved['state']> = {
  name: 'state',
  response: ({ data: { state } }) => state,
  staleAfterMs: () => 10_000,
};

/** Stored contracts by address, a source that answers with the state of others, and a clock. */
function fixture({ quota = 3, storedPerMinute = 100, storedPerDay = 100 } = {}) {
  const stored = new Map<string, Observed<TonContractObserved>>();
  const requested: string[] = [];
  const state = { now: NOW, answer: data('active'), down: false };
  const readUnrecorded = jest.fn(async () => {
    if (state.down) throw Problem.unavailable('no node answers', 2);
    return { height: 7, data: state.answer, at: new Date(state.now).toISOString() };
  });
  const contracts: Partial<ObservedReader<TonContractSubject, TonContractObserved>> = {
    find: async ({ address }) => stored.get(address) ?? null,
    source: ({ address }) => ({ collection: 'contracts', part: address }),
    request: async ({ address }) => void requested.push(address),
    notReady: (_subject, what) => Problem.unavailable(`${what} has not been read yet`, 2),
  };
  const limits = createMemoryLimits(
    { contract_reads: quota, stored_contracts: storedPerMinute },
    { stored_contracts_per_day: storedPerDay },
  );
  const read = createContractReader({
    views: { cached: (_query, compute) => compute() },
    contracts: contracts as ContractReaderDeps['contracts'],
    unrecorded: { read: readUnrecorded },
    limits: async () => limits,
    now: () => state.now,
  });
  const store = (of: TonAccount, secondsAgo: number): void =>
    void stored.set(of.address, {
      height: 5,
      at: new Date(NOW - secondsAgo * 1_000).toISOString(),
      data: data('frozen'),
    });
  return {
    state,
    readUnrecorded,
    requested,
    store,
    read: (of: TonAccount, more = {}, ip = READER.ip) => read({ ...view, ...more }, of, { ...READER, ip }),
  };
}

it('serves a stored contract, and reads it again once it is stale', async () => {
  const { store, read, requested, readUnrecorded } = fixture();
  store(account('a'), 9);
  store(account('b'), 11);
  expect(await read(account('a'))).toBe('frozen');
  expect(requested).toEqual([]);
  expect(await read(account('b'))).toBe('frozen');
  expect(requested).toEqual([account('b').address]);
  expect(readUnrecorded).not.toHaveBeenCalled();
});

it('reads a stale one again at once that is of no use to the caller', async () => {
  const { store, read } = fixture();
  const isUseless = ({ state }: TonContractObserved): boolean => state === 'frozen';
  store(account('a'), 9);
  store(account('b'), 11);
  expect(await read(account('a'), { isUseless })).toBe('frozen');
  expect(await read(account('b'), { isUseless })).toBe('active');
});

it('reads one that is not stored at once, and has it stored', async () => {
  const { read, requested } = fixture();
  expect(await read(account('a'))).toBe('active');
  expect(requested).toEqual([account('a').address]);
});

it('stores nothing of an address where nothing is', async () => {
  const { state, read, requested } = fixture();
  state.answer = data('non-existing');
  expect(await read(account('a'))).toBe('non-existing');
  expect(requested).toEqual([]);
});

it.each([
  ['a minute', { storedPerMinute: 2 }],
  ['a day', { storedPerDay: 8 }],
] as const)(
  'stores no more for one caller than it may have stored in %s, and what others read beside it',
  async (_time, limits) => {
    const { read, requested } = fixture({ quota: 100, ...limits });
    for (const digit of ['1', '2', '3', '4', '5']) expect(await read(account(digit))).toBe('active');
    expect(requested).toEqual(['1', '2'].map(digit => account(digit).address));
    expect(await read(account('a'), {}, '198.51.100.7')).toBe('active');
    expect(requested.at(-1)).toBe(account('a').address);
  },
);

it('limits what an address reads of contracts that are not stored, and nothing else', async () => {
  const { store, read, readUnrecorded } = fixture();
  store(account('a'), 1);
  for (const digit of ['b', 'c', 'd']) await read(account(digit));
  await expect(read(account('e'))).rejects.toMatchObject({
    code: 'rate_limited',
    extra: { 'violated-policies': ['contract_reads'] },
  });
  expect(readUnrecorded).toHaveBeenCalledTimes(3);
  expect(await read(account('a'))).toBe('frozen');
});

it('asks a network that does not answer once in a while only, and the other one meanwhile', async () => {
  const { state, store, read, readUnrecorded } = fixture({ quota: 100 });
  store(account('a'), 1);
  state.down = true;
  for (const digit of ['b', 'c', 'd', 'e', 'f'])
    await expect(read(account(digit))).rejects.toMatchObject({ code: 'not_ready' });
  expect(readUnrecorded).toHaveBeenCalledTimes(3);
  expect(await read(account('a'))).toBe('frozen');
  state.down = false;
  expect(await read(account('b', 'testnet'))).toBe('active');
  state.now += 5_000;
  expect(await read(account('b'))).toBe('active');
});

it('reads the other contracts while one cannot be read', async () => {
  const { state, read } = fixture({ quota: 100 });
  state.down = true;
  for (let n = 0; n < 5; n++) await expect(read(account('b'))).rejects.toMatchObject({ code: 'not_ready' });
  state.down = false;
  expect(await read(account('c'))).toBe('active');
});
