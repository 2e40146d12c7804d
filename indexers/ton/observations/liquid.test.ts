import {
  Address,
  beginCell,
  Cell,
  Dictionary,
  type DictionaryValue,
  type TupleItem,
  TupleReader,
} from '@ton/core';
import { LIQUID_STAKING_POOLS } from '../../../contracts/chain/ton-verified-contracts';
import { GetMethodFailed, type TonAccountState, type TonClient } from '../../../contracts/ports/ton-client';
import { observe } from '../../../test/contracts/observation';
import { countRoundTrips } from '../../../test/contracts/round-trips';
import { liquidMemberObservation } from './liquid-member';
import { liquidPoolObservation } from './liquid-pool';

const POOL = LIQUID_STAKING_POOLS.mainnet;
const OWNER = `0:${'1'.repeat(64)}`;
const WALLET = `0:${'2'.repeat(64)}`;
const int = (value: number | bigint): TupleItem => ({ type: 'int', value: BigInt(value) });
const ints = (...values: readonly (number | bigint)[]): TupleItem[] => values.map(int);
const NULL: TupleItem = { type: 'null' };
const TUPLE: TupleItem = { type: 'tuple', items: [int(1)] };
const address = (raw: string): TupleItem => ({
  type: 'slice',
  cell: beginCell().storeAddress(Address.parseRaw(raw)).endCell(),
});

type Answer = readonly TupleItem[] | number;

/** A double of a node whose contracts answer with these stacks, and fail with these exit codes. */
const methodsOf = (answers: Readonly<Record<string, Answer>>): Partial<TonClient> => ({
  getLastBlock: async () => ({ seqno: 7, now: 1_750_000_000 }),
  getJettonWallet: async () => WALLET,
  runMethod: async (_seqno, _address, method) => {
    const answer = answers[method] ?? 11;
    if (typeof answer === 'number') throw new GetMethodFailed(method, answer);
    return new TupleReader([...answer]);
  },
});

describe('the liquid pool', () => {
  /** Of 1,000 TON, for which there are 950 wsTON. */
  const [SUPPLY, BALANCE] = [950_000_000_000n, 1_000_000_000_000n];
  const status = (change: Readonly<Record<number, TupleItem>> = {}): TupleItem[] =>
    [
      ...ints(950_000_000, 1_052_631_578, 105, -1, 0),
      ...ints(49_800_000_000, 100_000_000, 200_000_000, 300_000_000, 1_000),
      ...ints(SUPPLY, BALANCE, 500_000_000_000n, 3, 4),
    ].map((item, index) => change[index] ?? item);
  /** A stake of a proxy; its start, what is sent and the query are not read. */
  const STAKE: DictionaryValue<number> = {
    serialize: (until, builder) =>
      void builder.storeUint(1, 32).storeUint(until, 32).storeCoins(5).storeUint(0, 96).storeCoins(0),
    parse: () => {
      throw new Error('is only written');
    },
  };

  /** The data of a pool as the wallet app reads it. */
  function dataOf(stakes: readonly number[]): Cell {
    const byProxy = Dictionary.empty(Dictionary.Keys.Uint(1), STAKE);
    stakes.forEach((until, proxy) => byProxy.set(proxy, until));
    const proxies = beginCell()
      .storeUint(2, 8)
      .storeAddress(Address.parseRaw(`-1:${'3'.repeat(64)}`))
      .storeAddress(Address.parseRaw(`-1:${'4'.repeat(64)}`))
      .storeDict(byProxy);
    return beginCell()
      .storeAddress(Address.parseRaw(OWNER))
      .storeAddress(Address.parseRaw(OWNER))
      .storeUint(1, 32)
      .storeUint(105, 32)
      .storeCoins(6)
      .storeRef(Cell.EMPTY)
      .storeRef(Cell.EMPTY)
      .storeRef(proxies.endCell())
      .storeMaybeRef(null)
      .endCell();
  }

  const parameter15 = beginCell()
    .storeUint(65_536, 32)
    .storeUint(32_768, 32)
    .storeUint(8_192, 32)
    .storeUint(32_768, 32)
    .endCell();
  const parameter34 = beginCell().storeUint(0x12, 8).storeUint(1_749_990_000, 32).endCell();

  const account = (
    change: Partial<Pick<TonAccountState, 'status' | 'data'>> = {},
  ): Pick<TonClient, 'getAccount'> => ({
    getAccount: async () => ({
      balance: 1n,
      currencies: {},
      status: 'active',
      code: Cell.EMPTY,
      lastTransaction: null,
      stateHash: null,
      storage: null,
      data: dataOf([1_750_100_000, 1_750_030_000]),
      ...change,
    }),
  });
  const read = async (answer: Answer = status(), ton: Partial<TonClient> = {}) => {
    const node = {
      ...methodsOf({ get_pool_status: answer }),
      ...account(),
      getConfig: async () =>
        new Map([
          [15, parameter15],
          [34, parameter34],
        ]),
      ...ton,
    };
    const { client, count } = countRoundTrips(node);
    const { data } = await observe(liquidPoolObservation, { network: 'mainnet' }, { ton: client });
    expect(count()).toBe(2);
    return data;
  };

  it('is what it says of itself, what its data say, and when its rounds end', async () => {
    expect(await read()).toEqual({
      rateDeposit: '950000000',
      rateWithdraw: '1052631578',
      roundId: 105,
      enabled: true,
      upgradable: false,
      minStake: '49800000000',
      depositFee: '100000000',
      withdrawFee: '200000000',
      receiptPrice: '300000000',
      poolFee: 1_000,
      minterSupply: String(SUPPLY),
      totalBalance: String(BALANCE),
      totalSent: '500000000000',
      totalPendingWithdraw: '3',
      totalBalanceWithdraw: '4',
      proxyZeroStakeUntil: 1_750_100_000,
      proxyOneStakeUntil: 1_750_030_000,
      time: 1_750_000_000,
      validationFrom: 1_749_990_000,
      validatorsElectedFor: 65_536,
      electorsStartBefore: 32_768,
    });
  });

  it('that has not staked has staked until 0', async () => {
    expect(await read(status(), account({ data: dataOf([]) }))).toMatchObject({
      proxyZeroStakeUntil: 0,
      proxyOneStakeUntil: 0,
    });
  });

  it('without jettons has whatever rates it says', async () => {
    const nobody = status({ 0: int(1_000_000_000), 1: int(1_000_000_000), 10: int(0), 11: int(0) });
    expect(await read(nobody)).toMatchObject({ rateDeposit: '1000000000', minterSupply: '0' });
  });

  it('is none where there is no contract', async () => {
    expect(await read(-13, account({ status: 'uninitialized', data: null }))).toBeNull();
  });

  it.each<[string, Answer]>([
    ['no such method', 11],
    ['that its gas is used up', -14],
    ['nothing', []],
    ['one item too few', status().slice(0, -1)],
    ['rates that were mixed up', status({ 0: int(1_052_631_578), 1: int(950_000_000) })],
    ['a rate of 0', status({ 1: int(0) })],
    ['a huge rate', status({ 0: int(2n ** 255n) })],
    ['a negative round', status({ 2: int(-1) })],
    ['a round beyond any', status({ 2: int(2n ** 200n) })],
    ['a fee of more than all', status({ 9: int(10_001) })],
    ['a negative balance', status({ 12: int(-1) })],
    ['a huge balance', status({ 14: int(2n ** 120n) })],
    ['a tuple', status({ 3: TUPLE })],
    ['one tuple of all', [{ type: 'tuple', items: status() }]],
    ['nulls', status().map(() => NULL)],
    ['not a number', status({ 5: { type: 'nan' } })],
    ['a cell', status({ 13: { type: 'cell', cell: Cell.EMPTY } })],
  ])('fails the reading where it answers %s', async (_, answer) => {
    await expect(read(answer)).rejects.toThrow();
  });

  it.each<[string, Partial<TonClient>]>([
    ['its data are of another contract', account({ data: Cell.EMPTY })],
    ['it is frozen', account({ status: 'frozen', data: null })],
    ['the network has no rounds', { getConfig: async () => new Map([[15, parameter15]]) }],
  ])('fails the reading where %s', async (_, ton) => {
    await expect(read(status(), ton)).rejects.toThrow();
  });
});

describe('a member of the liquid pool', () => {
  const code = beginCell().storeUint(0xc0de, 16).endCell();
  const codeItem: TupleItem = { type: 'cell', cell: code };
  const wallet = [int(5), address(OWNER), address(POOL), codeItem];
  /** 30 nanotons in round 3. */
  const pending = beginCell()
    .storeDictDirect(Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(4)).set(3, 30n))
    .endCell();
  const withState = (status: TonAccountState['status']): Partial<TonClient> => ({
    getAccountLite: async () => ({
      balance: 1n,
      lastTransaction: null,
      codeHash: null,
      dataHash: null,
      stateHash: null,
      storage: null,
      status,
    }),
  });
  const read = async (answers: Readonly<Record<string, Answer>> = {}, ton: Partial<TonClient> = {}) => {
    const node = {
      ...methodsOf({
        get_wallet_data: wallet,
        get_pending_withdrawals: [{ type: 'cell', cell: pending }],
        ...answers,
      }),
      ...withState('active'),
      ...ton,
    };
    const { client, count } = countRoundTrips(node);
    const subject = { network: 'mainnet', address: OWNER } as const;
    const { data } = await observe(liquidMemberObservation, subject, { ton: client });
    // Whether there is a contract where none answers is asked last.
    expect(count()).toBeLessThanOrEqual(data.stake ? 2 : 3);
    return data;
  };

  it('has what its wallet says', async () => {
    const data = await read();
    const stake = { balance: '5', code: expect.any(String), pendingWithdrawals: { '3': '30' } };
    expect(data).toEqual({ wallet: WALLET, stake });
    expect(Cell.fromBase64(data.stake!.code).equals(code)).toBe(true);
    const { stake: without } = await read({ get_pending_withdrawals: [NULL] });
    expect(without!.pendingWithdrawals).toEqual({});
  });

  it('has nothing where there is no wallet, or no pool', async () => {
    const nowhere = withState('uninitialized');
    expect(await read({ get_wallet_data: -13 }, nowhere)).toEqual({ wallet: WALLET, stake: null });
    const getJettonWallet = async (): Promise<never> => {
      throw new GetMethodFailed('get_wallet_address', -13);
    };
    expect(await read({}, { ...nowhere, getJettonWallet })).toEqual({ wallet: null, stake: null });
    await expect(read({}, { getJettonWallet })).rejects.toThrow('does not answer');
  });

  it.each<[string, Readonly<Record<string, Answer>>]>([
    ['whose wallet has no such method', { get_wallet_data: 11 }],
    ['whose wallet uses up its gas', { get_wallet_data: -14 }],
    ['whose wallet is of another owner', { get_wallet_data: [int(5), address(WALLET), ...wallet.slice(2)] }],
    [
      'whose wallet is of another pool',
      { get_wallet_data: [int(5), address(OWNER), address(OWNER), codeItem] },
    ],
    ['with a negative balance', { get_wallet_data: [int(-1), ...wallet.slice(1)] }],
    ['with a huge balance', { get_wallet_data: [int(2n ** 200n), ...wallet.slice(1)] }],
    ['whose wallet answers with a tuple', { get_wallet_data: [TUPLE, ...wallet.slice(1)] }],
    ['whose wallet answers with nulls', { get_wallet_data: [NULL, NULL, NULL, NULL] }],
    ['whose wallet has no code', { get_wallet_data: wallet.slice(0, 3) }],
    ['whose withdrawals are not told', { get_pending_withdrawals: 11 }],
    ['whose withdrawals are a number', { get_pending_withdrawals: [int(1)] }],
    ['whose withdrawals are no dictionary', { get_pending_withdrawals: [codeItem] }],
  ])('%s fails the reading', async (_, answers) => {
    await expect(read(answers)).rejects.toThrow();
  });
});
