import { Address, beginCell, TupleReader, type Cell, type TupleItem } from '@ton/core';
import { GetMethodFailed, type TonClient } from '../../../contracts/ports/ton-client';
import { observe } from '../../../test/contracts/observation';
import { accountAt } from '../../../test/ton/scripted-chain';
import { jettonPoolObservation } from './pool';

const DEDUST = '0:5f0564fb5f604783db57031ce1cf668a88d4d4d6da6de4db222b4b920d6fd800';
const STON_FI = '0:779dcc815138d9500e449c5291e7f12738c23d575b5310000f6a253bd607384e';
const [POOL, GOLD, SILVER, GOLD_WALLET, SILVER_WALLET, OTHER] = [1, 2, 3, 4, 5, 6].map(accountAt) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

const cellOf = (raw: string): Cell => beginCell().storeAddress(Address.parseRaw(raw)).endCell();
const address = (raw: string): TupleItem => ({ type: 'slice', cell: cellOf(raw) });
const int = (value: bigint): TupleItem => ({ type: 'int', value });
const native: TupleItem = { type: 'slice', cell: beginCell().storeUint(0, 4).endCell() };
const jetton = (raw: string): TupleItem => ({
  type: 'slice',
  cell: beginCell().storeUint(1, 4).storeInt(0, 8).storeBuffer(Address.parseRaw(raw).hash).endCell(),
});

type Stacks = Readonly<Record<string, readonly TupleItem[]>>;

/** A double: contracts that answer get methods with these stacks; some by the text of their arguments. */
async function read(stacks: Stacks, network: 'mainnet' | 'testnet' = 'mainnet') {
  const ton: Partial<TonClient> = {
    getLastBlock: async () => ({ seqno: 9, now: 0 }),
    async runMethod(_seqno, contract, method, args = []) {
      const [first] = args;
      const stack =
        stacks[`${contract} ${method}`] ??
        stacks[`${contract} ${method} ${first?.type === 'int' ? first.value : ''}`];
      if (!stack) throw new GetMethodFailed(method, 11);
      return new TupleReader([...stack]);
    },
  };
  return (await observe(jettonPoolObservation, { network, address: POOL }, { ton })).data;
}

const dedust: Stacks = {
  [`${POOL} get_assets`]: [native, jetton(GOLD)],
  [`${POOL} is_stable`]: [int(0n)],
  [`${DEDUST} get_pool_address 0`]: [address(POOL)],
};
const stonFi: Stacks = {
  [`${POOL} get_pool_data`]: [int(5n), int(6n), address(GOLD_WALLET), address(SILVER_WALLET), int(20n)],
  [`${STON_FI} get_pool_address`]: [address(POOL)],
  [`${GOLD_WALLET} get_wallet_data`]: [int(5n), address(STON_FI), address(GOLD)],
  [`${GOLD} get_wallet_address`]: [address(GOLD_WALLET)],
  [`${SILVER_WALLET} get_wallet_data`]: [int(6n), address(STON_FI), address(SILVER)],
  [`${SILVER} get_wallet_address`]: [address(SILVER_WALLET)],
};

it('knows a pool of DeDust', async () => {
  expect(await read(dedust)).toEqual({
    exchange: 'dedust',
    assets: [{ type: 'native' }, { type: 'jetton', address: GOLD }],
  });
});

it('asks for a stable pool of DeDust by its type', async () => {
  const stable = {
    [`${POOL} get_assets`]: [jetton(GOLD), jetton(SILVER)],
    [`${POOL} is_stable`]: [int(-1n)],
    [`${DEDUST} get_pool_address 1`]: [address(POOL)],
  };
  expect(await read(stable)).toMatchObject({ exchange: 'dedust' });
});

it('knows a pool of STON.fi by the jettons of its wallets', async () => {
  expect(await read(stonFi)).toEqual({
    exchange: 'ston-fi',
    assets: [
      { type: 'jetton', address: GOLD },
      { type: 'jetton', address: SILVER },
    ],
  });
});

it.each<readonly [string, Stacks]>([
  ['says nothing of assets', {}],
  ['claims to be a pool of DeDust', { ...dedust, [`${DEDUST} get_pool_address 0`]: [address(OTHER)] }],
  [
    'is a pool of an unknown asset',
    {
      ...dedust,
      [`${POOL} get_assets`]: [native, { type: 'slice', cell: beginCell().storeUint(2, 4).endCell() }],
    },
  ],
  ['claims to be a pool of STON.fi', { ...stonFi, [`${STON_FI} get_pool_address`]: [address(OTHER)] }],
  [
    'names a wallet that its master does not confirm',
    { ...stonFi, [`${GOLD} get_wallet_address`]: [address(OTHER)] },
  ],
  [
    'names a wallet of somebody else',
    { ...stonFi, [`${SILVER_WALLET} get_wallet_data`]: [int(6n), address(OTHER), address(SILVER)] },
  ],
  ['answers garbage', { [`${POOL} get_assets`]: [int(1n)], [`${POOL} get_pool_data`]: [native] }],
])('knows no pool in a jetton that %s', async (_what, stacks) => {
  expect(await read(stacks)).toBeNull();
});

it('knows no pools outside mainnet, where these exchanges are', async () => {
  expect(await read(dedust, 'testnet')).toBeNull();
});
