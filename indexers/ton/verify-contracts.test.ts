import { Address, beginCell, Cell, type TupleItem, TupleReader } from '@ton/core';
import { GetMethodFailed } from '../../contracts/ports/ton-client';
import { USDE_CONTRACTS } from '../../contracts/chain/ton-usde';
import { LIQUID_STAKING_POOLS, NOMINATOR_POOLS } from '../../contracts/chain/ton-verified-contracts';
import { createContractVerifier } from './verify-contracts';

const [OWN, STRANGER] = [`0:${'aa'.repeat(32)}`, `0:${'bb'.repeat(32)}`];
const none = { jettonWallets: [], nftItems: [], jettonMasters: [], parties: [] };
const client = {
  getLastBlock: async () => Promise.reject(new Error('the node is not asked')),
  runMethod: async () => Promise.reject(new Error('the node is not asked')),
};

it('knows the pools of the network and those of operators, without asking anybody', async () => {
  const verify = createContractVerifier(client, 'mainnet', [OWN]);
  const [known, another] = [NOMINATOR_POOLS.mainnet[0]!, NOMINATOR_POOLS.testnet[0]!];
  expect(await verify({ ...none, parties: [OWN, STRANGER, known, another] }, null)).toEqual({
    jettonWallets: {},
    contracts: { [OWN]: 'staking_pool', [known]: 'staking_pool' },
  });
});

it('knows the other staking contracts by their address too, each on its network', async () => {
  const { stakedUsde, vault, usde } = USDE_CONTRACTS.mainnet;
  const parties = [LIQUID_STAKING_POOLS.mainnet, stakedUsde, vault, usde, STRANGER!];
  const verified = (network: 'mainnet' | 'testnet') =>
    createContractVerifier(client, network, [])({ ...none, parties }, null);
  expect((await verified('mainnet')).contracts).toEqual({
    [LIQUID_STAKING_POOLS.mainnet]: 'liquid_pool',
    [stakedUsde]: 'staked_usde',
    [vault]: 'usde_vault',
  });
  expect((await verified('testnet')).contracts).toEqual({});
});

it('asks pools what they take of a deposit, each once, and nobody else', async () => {
  const asked: string[] = [];
  const int = (value: bigint): TupleItem => ({ type: 'int', value });
  const numbers = (...values: bigint[]) => new TupleReader(values.map(int));
  const [first, second] = NOMINATOR_POOLS.mainnet as [string, string];
  const answers: Record<string, () => TupleReader> = {
    [OWN!]: () => numbers(-1n, -1n, 5n, 7n, 8n, 9n, 11n),
    [first]: () => numbers(-1n, -1n, 5n, 1n << 200n, 8n, 9n, 11n),
    [second]: () => numbers(-1n),
    [LIQUID_STAKING_POOLS.mainnet]: () => numbers(1n, 2n, 3n, -1n, -1n, 4n, 5n, 6n, 7n, 8n),
  };
  const node = {
    getLastBlock: async () => ({ seqno: 5 }) as never,
    async runMethod(seqno: number, address: string) {
      asked.push(`${seqno} ${address}`);
      return answers[address]!();
    },
  };
  const verify = createContractVerifier(node as never, 'mainnet', [OWN!]);
  const named = { ...none, depositsTo: [OWN!, first, second, STRANGER!, LIQUID_STAKING_POOLS.mainnet] };
  for (const seqno of [null, 6])
    expect((await verify(named, seqno)).depositFees).toEqual({
      [OWN!]: { fee: '7', receipt: '11' },
      [LIQUID_STAKING_POOLS.mainnet]: { fee: '5', receipt: '7' },
    });
  const pools = [OWN, first, second, LIQUID_STAKING_POOLS.mainnet];
  // Of each block: the owner may have changed them.
  expect(asked).toEqual([...pools.map(pool => `5 ${pool}`), ...pools.map(pool => `6 ${pool}`)]);
});

it('asks what a contract that returns coins is, unless it is a jetton wallet', async () => {
  const asked: string[] = [];
  const stack = (...items: TupleItem[]) => new TupleReader(items);
  const slice = (address: string): TupleItem => ({
    type: 'slice',
    cell: beginCell().storeAddress(Address.parseRaw(address)).endCell(),
  });
  const [WALLET, MASTER, OTHER] = ['11', '22', '33'].map(byte => `0:${byte.repeat(32)}`) as [
    string,
    string,
    string,
  ];
  const zero: TupleItem = { type: 'int', value: 0n };
  const answers: Record<string, TupleReader> = {
    [`${WALLET} get_wallet_data`]: stack(zero, slice(OWN!), slice(MASTER)),
    [`${MASTER} get_wallet_address`]: stack(slice(WALLET)),
    [`${MASTER} get_jetton_data`]: stack(zero, zero, slice(OWN!), { type: 'cell', cell: Cell.EMPTY }),
  };
  const node = {
    getLastBlock: async () => ({ seqno: 5 }) as never,
    async runMethod(_seqno: number, address: string, method: string) {
      asked.push(`${address} ${method}`);
      const answer = answers[`${address} ${method}`];
      if (!answer) throw new GetMethodFailed('no such method', 11);
      return answer;
    },
  };
  const verify = createContractVerifier(node as never, 'mainnet', []);
  const named = [WALLET, MASTER, OTHER];
  expect(await verify({ ...none, jettonWallets: named, nftItems: named, jettonMasters: named }, 5)).toEqual({
    jettonWallets: { [WALLET]: { master: MASTER, owner: OWN }, [MASTER]: null, [OTHER]: null },
    contracts: { [MASTER]: 'jetton_master' },
  });
  expect(asked).not.toContain(`${WALLET} get_nft_data`);
});
