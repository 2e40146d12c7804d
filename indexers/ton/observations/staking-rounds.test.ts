import { beginCell, TupleReader, type Cell, type TupleItem } from '@ton/core';
import { GetMethodFailed, type TonClient } from '../../../contracts/ports/ton-client';
import { observe } from '../../../test/contracts/observation';
import { localWallet } from '../../../infra/devnet/ton/wallets';
import { poolData } from '../../../infra/devnet/ton/staking/staking';
import { nominatorObservation, nominatorRoundObservation } from './nominators';
import { poolPartiesObservation, poolRoundObservation } from './staking-rounds';

const ROUND = 1_750_000_000;
const DAY = 86_400;
const TAKEN = 100;
const subject = {
  network: 'mainnet',
  pool: `0:${'7'.repeat(64)}`,
  lt: '46000000000003',
  time: ROUND + 98_900,
  hash: Buffer.alloc(32, 9).toString('base64'),
} as const;
const MEMBER = `0:${'8'.repeat(64)}`;

const int = (value: number | bigint): TupleItem => ({ type: 'int', value: BigInt(value) });
const ints = (...values: readonly (number | bigint)[]): TupleItem[] => values.map(int);
const party = (name: string) => localWallet(name, 'v5r1', 'mainnet').contract.address;

/** The data of a pool: as a new one has it, with other funds and another stake. */
function dataOf({ perCoin, balance, sent }: Readonly<Record<'perCoin' | 'balance' | 'sent', bigint>>): Cell {
  const parties = { owner: party('owner'), controller: party('controller'), proxy: party('proxy') };
  const slice = poolData(parties, 400n).beginParse();
  slice.skip(1);
  const addresses = [slice.loadAddress(), slice.loadAddress(), slice.loadAddress()];
  slice.loadRef();
  const members = slice.loadMaybeRef();
  const funds = beginCell().storeInt(perCoin, 128).storeCoins(balance).storeCoins(sent);
  const stake = beginCell()
    .storeUint(sent > 0n ? ROUND : 0, 32)
    .storeUint(0, 32)
    .storeCoins(sent)
    .storeUint(0, 64 + 32)
    .storeCoins(0)
    .storeUint(32_768, 32)
    .storeBit(false);
  const data = beginCell().storeBit(sent > 0n);
  for (const address of addresses) data.storeAddress(address);
  return data.storeRef(funds).storeMaybeRef(members).storeRef(stake).storeMaybeRef(null).endCell();
}

const STAKED = { perCoin: 0n, balance: 10_000n, sent: 9_000n };
const FREE = { perCoin: 5n, balance: 10_100n, sent: 0n };

const CONFIG = new Map([
  [1, beginCell().storeUint(1, 256).endCell()],
  [15, beginCell().storeUint(65_536, 32).endCell()],
  [
    34,
    beginCell()
      .storeUint(0x12, 8)
      .storeUint(ROUND + 65_536, 32)
      .endCell(),
  ],
]);
const PAST = (id: number): TupleItem[] => [
  {
    type: 'tuple',
    items: [
      {
        type: 'tuple',
        items: [...ints(id, id + 98_304, 32_768, 0), { type: 'null' }, ...ints(1_000_000, 150)],
      },
      { type: 'null' },
    ],
  },
];

/**
 * A double of nodes whose pool takes its stake back in block 100 of 200.
 * @param of `near`: the block of the proxy's transaction; `oldest`: nothing is known of the blocks before it
 */
function nodes({
  near = TAKEN - 1,
  oldest = 0,
  now = subject.time + 60,
  forgotten = false,
} = {}): Partial<TonClient> {
  const expectKnown = (seqno: number): void => {
    if (seqno < oldest) throw new Error('block not found');
  };
  return {
    getLastBlock: async () => ({ seqno: 200, now }),
    getBlockAt: async utime => (utime === subject.time ? near : 90),
    getConfig: async seqno => {
      expectKnown(seqno);
      return CONFIG;
    },
    getAccount: async seqno => {
      expectKnown(seqno);
      const data = dataOf(seqno < TAKEN ? STAKED : FREE);
      const lastTransaction = { lt: seqno < TAKEN ? '5' : '46000000000009', hash: '' };
      const stored = { stateHash: null, storage: null };
      return { balance: 1n, currencies: {}, status: 'active', code: null, data, lastTransaction, ...stored };
    },
    runMethod: async (seqno, _address, method) => {
      if (method === 'get_owner')
        return new TupleReader([{ type: 'slice', cell: beginCell().storeAddress(party('owner')).endCell() }]);
      expectKnown(seqno);
      // From some blocks later on it has staked in the next round but one.
      if (method === 'get_staking_status' && seqno >= TAKEN + 3)
        return new TupleReader(ints(ROUND + 131_072, 0, 9_500, 0, 0, 0, 0));
      if (method === 'get_staking_status')
        return new TupleReader(ints(seqno < TAKEN ? ROUND : 0, 0, seqno < TAKEN ? 9_000 : 0, 0, 0, 0, 0));
      if (method === 'get_pool_status') {
        const { balance, sent } = seqno < TAKEN ? STAKED : FREE;
        return new TupleReader(ints(balance, sent, 0, 0, 0));
      }
      if (method !== 'past_elections') throw new GetMethodFailed(method, 11);
      const isListed = forgotten ? seqno <= 90 : true;
      return new TupleReader(PAST(isListed ? ROUND : ROUND + 65_536));
    },
  };
}

const EXPECTED = {
  round: ROUND,
  before: {
    seqno: 99,
    profitPerCoin: '0',
    balance: '10000',
    ownStake: '400',
    sent: '9000',
    poolFee: 1_000,
  },
  after: { seqno: 100, profitPerCoin: '5', balance: '10100', lt: '46000000000009' },
  election: { seqno: 99, totalStake: '1000000', bonuses: '150', electedFor: 65_536 },
};

test.each([
  ['just before', TAKEN - 1],
  ['in the same block', TAKEN],
  ['some blocks before', TAKEN - 37],
  ['as far as blocks are known by their time, after it', TAKEN + 60],
])('is the pool around the block in which it took its stake, when the proxy had it %s', async (_, near) => {
  const { height, data } = await observe(poolRoundObservation, subject, { ton: nodes({ near }) });
  expect([height, data]).toEqual([TAKEN, EXPECTED]);
});

test('the election that the elector has forgotten is that of a block before it did', async () => {
  const { data } = await observe(poolRoundObservation, subject, { ton: nodes({ forgotten: true }) });
  expect(data).toEqual({ ...EXPECTED, election: { ...EXPECTED.election, seqno: 90 } });
});

test.each([
  ['that has other data', beginCell().storeUint(7, 32).endCell()],
  ['whose data mean something else', dataOf({ ...STAKED, balance: 10_001n })],
])('a pool with other code %s is not guessed at', async (_, data) => {
  const node = nodes();
  const upgraded: Partial<TonClient> = {
    ...node,
    getAccount: async (seqno, address) => ({ ...(await node.getAccount!(seqno, address)), data }),
  };
  const found = await observe(poolRoundObservation, subject, { ton: upgraded });
  expect(found).toEqual({ height: TAKEN, data: null });
});

test('what the pool has not taken yet is read later', async () => {
  const waiting = { ...nodes(), getLastBlock: async () => ({ seqno: 99, now: subject.time + 1 }) };
  await expect(observe(poolRoundObservation, subject, { ton: waiting })).rejects.toThrow('not taken');
});

test('nodes that have no such old blocks leave it unknown, and a failure of today does not', async () => {
  const old = nodes({ oldest: 150, now: subject.time + 2 * DAY });
  expect(await observe(poolRoundObservation, subject, { ton: old })).toEqual({ height: 0, data: null });
  const failing = nodes({ oldest: 150 });
  await expect(observe(poolRoundObservation, subject, { ton: failing })).rejects.toThrow('not found');
  const silent = { ...old, runMethod: async () => Promise.reject(new Error('no node answers')) };
  await expect(observe(poolRoundObservation, subject, { ton: silent })).rejects.toThrow('no node');
});

const STAKE = { balance: '1', pendingDeposit: '2', pendingWithdraw: '3', withdraw: '4' };

describe('a member', () => {
  const node: Partial<TonClient> = {
    getLastBlock: async () => ({ seqno: 200, now: subject.time + 2 * DAY }),
    runMethod: async () => new TupleReader(ints(1, 2, 3, 4)),
    getAccountLite: async (_, address) =>
      ({ lastTransaction: address === MEMBER ? null : { lt: '77', hash: '' } }) as never,
  };
  const of = { network: 'mainnet', member: MEMBER, pool: subject.pool } as const;

  test('is as the pool says, with the newest transactions of both', async () => {
    const { height, data } = await observe(nominatorObservation, of, { ton: node });
    expect([height, data]).toEqual([200, { ...STAKE, poolLt: '77', memberLt: '0' }]);
  });

  test('after a round is as of its block', async () => {
    const round = { ...of, seqno: 100, time: subject.time };
    const asked: number[] = [];
    const ton: Partial<TonClient> = {
      ...node,
      runMethod: async seqno => {
        asked.push(seqno);
        return new TupleReader(ints(1, 2, 3, 4));
      },
    };
    expect(await observe(nominatorRoundObservation, round, { ton })).toEqual({ height: 100, data: STAKE });
    expect(asked).toEqual([100]);
  });

  test('is not known after a round of which the nodes have no block', async () => {
    const round = { ...of, seqno: 100, time: subject.time };
    expect(
      await observe(nominatorRoundObservation, round, {
        ton: nodes({ oldest: 150, now: subject.time + 2 * DAY }),
      }),
    ).toEqual({ height: 0, data: null });
  });
});

test('who takes part in a pool, and what it charges', async () => {
  const address = (name: string): TupleItem[] => [
    { type: 'slice', cell: beginCell().storeAddress(party(name)).endCell() },
  ];
  const stacks: Readonly<Record<string, TupleItem[]>> = {
    get_owner: address('owner'),
    get_proxy: address('proxy'),
    get_params: ints(-1, -1, 5, 100, 200, 1_000, 300),
  };
  const ton: Partial<TonClient> = {
    getLastBlock: async () => ({ seqno: 7, now: 1 }),
    runMethod: async (_, __, method) => new TupleReader([...stacks[method]!]),
  };
  const of = { network: 'mainnet', address: subject.pool } as const;
  expect(await observe(poolPartiesObservation, of, { ton })).toEqual({
    height: 7,
    data: {
      owner: party('owner').toRawString(),
      proxy: party('proxy').toRawString(),
      depositFee: '100',
      receiptPrice: '300',
    },
  });
  const missing: Partial<TonClient> = {
    ...ton,
    runMethod: async (_, __, method) => Promise.reject(new GetMethodFailed(method, 11)),
  };
  expect(await observe(poolPartiesObservation, of, { ton: missing })).toEqual({ height: 7, data: null });
});
