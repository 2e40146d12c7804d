import { beginCell, type TupleItem, TupleReader } from '@ton/core';
import type { Clients } from '../../../contracts/observation/observation';
import { GetMethodFailed, type TonClient } from '../../../contracts/ports/ton-client';
import { NOMINATOR_POOLS } from '../../../contracts/chain/ton-verified-contracts';
import { observe } from '../../../test/contracts/observation';
import { stakingMemberObservation, stakingPoolObservation, unreadStakingMember } from './staking';

const INTERFACES = [123515602279859691144772641439386770278n, 256184278959413194623484780286929323492n];
const UNKNOWN = `0:${'7'.repeat(64)}`;
const subject = { network: 'mainnet', member: `0:${'8'.repeat(64)}`, pool: UNKNOWN } as const;

const int = (value: number | bigint): TupleItem => ({ type: 'int', value: BigInt(value) });
const ints = (...values: readonly (number | bigint)[]): TupleItem[] => values.map(int);

type Stacks = Readonly<Record<string, readonly TupleItem[] | number>>;

/** A double of a node at block 7: by get method the stack, or the exit code with which the contract fails. */
function nodeWith(stacks: Stacks): Partial<TonClient> {
  return {
    getLastBlock: async () => ({ seqno: 7, now: 1_760_448_264 }),
    runMethod: async (_seqno, _address, method) => {
      const stack = stacks[method] ?? 11;
      if (typeof stack === 'number') throw new GetMethodFailed(method, stack);
      return new TupleReader([...stack]);
    },
  };
}

const POOL: Stacks = { supported_interfaces: ints(...INTERFACES), get_member: ints(1, 2, 3, 4) };
const STAKE = { balance: '1', pendingDeposit: '2', pendingWithdraw: '3', withdraw: '4' };

const readUnread = async (stacks: Stacks, pool: string = UNKNOWN) => {
  const clients = { ton: () => nodeWith(stacks) } as unknown as Clients;
  const { signal } = new AbortController();
  const { height, data } = await unreadStakingMember.read(clients, { ...subject, pool }, signal);
  expect(height).toBe(7);
  return unreadStakingMember.schema.parse(data);
};

const HOSTILE: readonly [string, readonly TupleItem[] | number][] = [
  ['no getter', 11],
  ['all gas used', -14],
  ['another exit code', 999],
  ['nothing', []],
  ['too few values', ints(1, 2, 3)],
  ['a negative amount', ints(1, 2, -3, 4)],
  ['more than coins can be', ints(1, 2, 3, 1n << 120n)],
  ['the largest integer', ints((1n << 256n) - 1n, 0, 0, 0)],
  ['nulls', Array.from({ length: 4 }, (): TupleItem => ({ type: 'null' }))],
  ['not a number', [{ type: 'nan' }, ...ints(2, 3, 4)]],
  ['a tuple', [{ type: 'tuple', items: ints(1, 2, 3, 4) }]],
  ['a cell', [{ type: 'cell', cell: beginCell().endCell() }, ...ints(2, 3, 4)]],
];

test('a member of a pool that is followed', async () => {
  const { height, data } = await observe(stakingMemberObservation, subject, { ton: nodeWith(POOL) });
  expect([height, data]).toEqual([7, STAKE]);
});

test.each(HOSTILE)('a pool that is followed and answers %s fails the reading', async (_, get_member) => {
  const ton = nodeWith({ ...POOL, get_member });
  await expect(observe(stakingMemberObservation, subject, { ton })).rejects.toThrow('does not say');
});

test.each(HOSTILE)('a contract that answers %s has no member', async (_, get_member) => {
  expect(await readUnread({ ...POOL, get_member })).toBeNull();
});

test('a contract that says to be a nominator pool has members, another one has none', async () => {
  expect(await readUnread(POOL)).toEqual(STAKE);
  const { get_member } = POOL;
  expect(await readUnread({ get_member: get_member! })).toBeNull();
  expect(await readUnread({ ...POOL, supported_interfaces: ints(INTERFACES[0]!, 5) })).toBeNull();
});

test('a pool that wallets list has members, whatever it says of itself', async () => {
  const { get_member } = POOL;
  expect(await readUnread({ get_member: get_member! }, NOMINATOR_POOLS.mainnet[0]!)).toEqual(STAKE);
});

test('the largest amount of coins is one', async () => {
  const ton = nodeWith({ ...POOL, get_member: ints((1n << 120n) - 1n, 0, 0, 0) });
  const { data } = await observe(stakingMemberObservation, subject, { ton });
  expect(data.balance).toBe(String((1n << 120n) - 1n));
});

test('a pool takes stakes or does not; where there is none nothing is one', async () => {
  const read = async (get_params: readonly TupleItem[] | number) =>
    (
      await observe(
        stakingPoolObservation,
        { network: 'mainnet', address: UNKNOWN },
        { ton: nodeWith({ get_params }) },
      )
    ).data;
  expect(await read(ints(-1, 0, 1, 2, 3, 4, 5))).toEqual({ enabled: true });
  expect(await read(ints(0, 0, 1, 2, 3, 4, 5))).toEqual({ enabled: false });
  expect(await read(-256)).toBeNull();
});

test.each(['ton:mainnet:0:77', 'ton:mainnet/0:77', ''])('no member of a pool: %s', text => {
  expect(() => stakingMemberObservation.subject.parse(text)).toThrow('not a');
});
