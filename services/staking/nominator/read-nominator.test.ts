import { pino } from 'pino';
import type { NominatorObserved } from '../../../contracts/chain/ton-staking';
import type { Observed } from '../../../contracts/observation/reader';
import { Problem } from '../../../contracts/problem/problem';
import { NO_LIMITS } from '../../../contracts/ports/rate-limits';
import type { StakeTransaction } from '../../../projections/ton/stakes/queries';
import type { AnyCall } from '../../http/call';
import type { NominatorDeps } from './deps';
import { createNominatorReads } from './read-nominator';

const TON = 1_000_000_000n;
const [POOL, OWNER, PROXY, MEMBER] = ['pool', 'owner', 'proxy', 'member'];
const NOW = Date.parse('2026-01-02T00:00:00.000Z');
const NOW_SECONDS = NOW / 1_000;
const member = (address: string) => ({ chain: 'ton', network: 'mainnet', address }) as const;
const call = { ip: '192.0.2.1', signal: new AbortController().signal } as unknown as AnyCall;

const deposit = (lt: number, queryId: string): StakeTransaction => ({
  lt: String(lt),
  time: NOW_SECONDS - 10,
  answer: null,
  requests: [
    {
      pool: POOL,
      message: `m${lt}`,
      type: 'deposit',
      trigger: 'payload',
      queryId,
      value: String(10n * TON),
    },
  ],
});
const receipt = (poolLt: number, queryId: string): StakeTransaction => ({
  lt: String(poolLt + 5),
  time: NOW_SECONDS - 9,
  requests: [],
  answer: {
    pool: POOL,
    message: `a${poolLt}`,
    type: 'deposit',
    refused: false,
    queryId,
    value: '1',
    fwdFee: '1',
    createdLt: String(poolLt + 1),
    createdAt: NOW_SECONDS - 9,
  },
});
const reading = (of: Partial<NominatorObserved>): Observed<NominatorObserved> => ({
  height: 7,
  at: new Date(NOW).toISOString(),
  data: {
    balance: '0',
    pendingDeposit: String(98n * (TON / 10n)),
    pendingWithdraw: '0',
    withdraw: '0',
    poolLt: '25',
    memberLt: '30',
    ...of,
  },
});

interface World {
  readonly transactions?: readonly StakeTransaction[];
  /** Newest transaction of the member that is folded; null: its history is being read. */
  readonly knownUpTo?: bigint | null;
  readonly stake?: Observed<NominatorObserved> | null;
}

/** Reads over doubles: of documents, of a pool without rounds, and of a program that cannot wait. */
async function read({ transactions = [], knownUpTo = 40n, stake = null }: World, address = MEMBER) {
  const watched: string[] = [];
  const deps = {
    views: {
      cached: async (_query: unknown, compute: () => Promise<unknown>) => compute(),
      waitForChange: async () => undefined,
    },
    stakes: {
      ofMember: async () => transactions,
      account: async () => ({ newest: knownUpTo ?? 0n, knownSince: () => (knownUpTo === null ? null : 0n) }),
      sources: () => [],
    },
    traces: {
      places: async (_: unknown, __: unknown, lts: readonly string[]) => lts.map(() => ({ trace: null })),
      source: () => ({}),
    },
    transactions: {
      account: async () => ({ knownSince: () => 0n }),
      page: async () => ({ transactions: [], hasMore: false }),
      sources: () => [],
    },
    parties: {
      read: async () => ({
        data: { owner: OWNER, proxy: PROXY, depositFee: String(TON / 10n), receiptPrice: String(TON / 10n) },
      }),
    },
    rounds: { findMany: async () => [], collection: 'rounds' },
    nominators: {
      collection: 'nominators',
      find: async () => stake,
      isStale: () => false,
      readDerived: async (_: unknown, { find }: { find(): Promise<unknown> }) => find(),
      notReady: () => Problem.unavailable('not read', 1),
    },
    nominatorRounds: {
      collection: 'rounds of nominators',
      findMany: async () => [],
      isStale: () => false,
    },
    watch: async (account: { readonly address: string }) => {
      watched.push(account.address);
      return 1;
    },
    limits: async () => NO_LIMITS,
    logger: pino({ level: 'silent' }),
    clock: () => new Date(NOW),
    listWaitMs: 0,
  } as unknown as NominatorDeps;
  const response = await createNominatorReads(deps)(member(address), POOL, undefined, call);
  return { ...response, watched };
}

const KNOWN = [deposit(10, '1'), receipt(20, '1')];

test.each([POOL, OWNER, PROXY])('the %s has nothing, and is not watched', async address => {
  expect(await read({ transactions: KNOWN, stake: reading({}) }, address)).toMatchObject({
    nominator: null,
    watched: [],
  });
});

test('who has moved nothing has nothing', async () => {
  expect(await read({})).toMatchObject({ nominator: null, watched: [MEMBER] });
});

test('a deposit and its stake make no profit', async () => {
  expect(await read({ transactions: KNOWN, stake: reading({}) })).toMatchObject({
    nominator: { profitAmount: '0', deposits: [{ amount: String(98n * (TON / 10n)) }] },
  });
});

test('a deposit after the block of the stake is in neither', async () => {
  const transactions = [...KNOWN, deposit(32, '2'), receipt(35, '2')];
  expect(await read({ transactions, stake: reading({}) })).toMatchObject({
    nominator: { profitAmount: '0', deposits: [expect.anything()] },
  });
});

test.each([
  ['the history of the member is being read', { transactions: KNOWN, knownUpTo: null, stake: reading({}) }],
  ['the stake was not read', { transactions: KNOWN }],
  [
    'the member has transactions in the block of the stake that are not known',
    { transactions: KNOWN, knownUpTo: 29n, stake: reading({}) },
  ],
  [
    'it is not known whether the pool took a deposit before that block',
    { transactions: [...KNOWN, deposit(29, '2')], stake: reading({}) },
  ],
])('there is no answer while %s', async (_, world) => {
  await expect(read(world)).rejects.toMatchObject({ code: 'not_ready' });
});

test('a request after that block, of which nothing is known, changes nothing', async () => {
  const transactions = [...KNOWN, deposit(31, '2')];
  expect(await read({ transactions, stake: reading({}) })).toMatchObject({
    nominator: { profitAmount: '0', deposits: [expect.anything()] },
  });
});
