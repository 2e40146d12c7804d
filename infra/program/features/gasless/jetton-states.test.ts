import { beginCell, type Cell, TupleReader, type TupleItem } from '@ton/core';
import { gaslessJettonStream } from '../../../../contracts/events/gasless-jetton';
import { GetMethodFailed } from '../../../../contracts/ports/ton-client';
import { createHandle } from '../../../../services/commands/handle';
import type { ListedJetton } from '../../../../services/gasless/jettons/decider';
import { InMemoryEventStore } from '../../../../test/doubles/event-store';
import { until } from '../../../../test/until';
import { onChainContent } from '../../../devnet/ton/token-content';
import { importJettons } from './jettons';
import { faultyJettons, jettonStates, keepLookingAtJettons, type JettonStates } from './jetton-states';

const MASTER = `0:${'1'.repeat(64)}`;
const place = { realm: 'live', network: 'testnet' } as const;
const codeOf = (n: number): Cell => beginCell().storeUint(n, 8).endCell();
const hashOf = (n: number): string => codeOf(n).hash().toString('hex');
const LISTED = { master: hashOf(1), wallet: hashOf(2) };
const jetton: ListedJetton = {
  master: MASTER,
  decimals: 6,
  perTon: null,
  code: LISTED,
  isPaused: false,
  at: '',
  by: '',
};
const DEPLOYED = { status: 'active', master: 1, wallet: 2 as number | null, decimals: 6 };

/** Seconds on the machine, and on the nodes. */
let now: number;
let nodesAt: number;
let chain: typeof DEPLOYED;
let isDown: boolean;
let listed: readonly ListedJetton[];
let faults: string[];
let store: InMemoryEventStore;
let states: JettonStates;
const faulty = async () =>
  (await faultyJettons({ ...states, jettons: async () => listed })).map(({ fault }) => fault);

beforeEach(() => {
  [now, nodesAt, chain, isDown, listed, faults] = [10_000, 10_000, DEPLOYED, false, [jetton], []];
  store = new InMemoryEventStore();
  const client = {
    async getLastBlock() {
      if (isDown) throw new Error('no node answers');
      return { seqno: 1, now: nodesAt };
    },
    getAccount: async () =>
      ({ status: chain.status, code: chain.status === 'active' ? codeOf(chain.master) : null }) as never,
    async runMethod() {
      const { status, wallet, decimals } = chain;
      if (status !== 'active' || wallet === null) throw new GetMethodFailed('get_jetton_data', 11);
      const numbers: TupleItem[] = [0n, -1n].map(value => ({ type: 'int', value }));
      const content = onChainContent({ name: 'Jetton', decimals });
      const cells: TupleItem[] = [content, codeOf(wallet)].map(cell => ({ type: 'cell', cell }));
      return new TupleReader([...numbers, { type: 'null' }, ...cells]);
    },
  };
  states = jettonStates({
    client,
    decimalsAt: async () => null,
    clock: () => new Date(now * 1_000),
    handle: createHandle({ store }),
    place,
    onFault: (_, { state }) => faults.push(state),
  });
});

it('finds nothing while the chain is as it was listed', async () => {
  expect(await faulty()).toEqual([]);
  expect(await states.stateOf(jetton)).toEqual({ state: 'as_listed', code: LISTED });
});

it.each<[string, Partial<typeof DEPLOYED>, string, string]>([
  ['a master that was upgraded', { master: 3 }, 'other_code', 'other code: that of the master'],
  ['other code of its wallets', { wallet: 4 }, 'other_code', 'other code: that of the wallet'],
  ['a master that is gone', { status: 'uninitialized' }, 'no_contract', 'no contract'],
  ['a master that is frozen', { status: 'frozen' }, 'frozen', 'frozen'],
  ['a master whose get-method fails', { wallet: null }, 'no_jetton', 'no jetton'],
  ['other decimals', { decimals: 9 }, 'other_decimals', 'other decimals: the chain says 9'],
])('a minute after the last look it finds %s, and reports it', async (_, changed, state, fault) => {
  await faulty();
  chain = { ...DEPLOYED, ...changed };
  [now, nodesAt] = [10_059, 10_059];
  expect(await faulty()).toEqual([]);
  now = 10_060;
  expect(await faulty()).toEqual([fault]);
  expect(faults).toEqual([state]);
});

it('what cannot pay is looked at again after a second', async () => {
  chain = { ...DEPLOYED, status: 'uninitialized' };
  expect(await faulty()).toEqual(['no contract']);
  chain = DEPLOYED;
  expect(await faulty()).toEqual(['no contract']);
  now += 1;
  expect(await faulty()).toEqual([]);
});

it('a change that a transfer has shown is found at once', async () => {
  await faulty();
  chain = { ...DEPLOYED, master: 3 };
  states.expire(MASTER);
  expect(await faulty()).toEqual(['other code: that of the master']);
});

it('what was found stays while no node answers', async () => {
  chain = { ...DEPLOYED, master: 3 };
  await faulty();
  [isDown, now] = [true, 10_060];
  expect(await faulty()).toEqual(['other code: that of the master']);
});

it('nodes that are behind say nothing of a jetton: it has not changed', async () => {
  chain = { ...DEPLOYED, master: 3, status: 'uninitialized' };
  nodesAt = now - 121;
  expect(await states.stateOf(jetton)).toEqual({ state: 'behind' });
  expect([states.knownStateOf(jetton), await faulty(), faults]).toEqual([null, [], []]);
  [nodesAt, chain] = [now, DEPLOYED];
  expect(await states.stateOf(jetton)).toMatchObject({ state: 'as_listed' });
  now += 500;
  chain = { ...DEPLOYED, master: 3 };
  expect(await states.stateOf(jetton)).toMatchObject({ state: 'as_listed' });
});

it('looks at nothing that is paused', async () => {
  chain = { ...DEPLOYED, master: 3 };
  listed = [{ ...jetton, isPaused: true }];
  expect(await faulty()).toEqual([]);
});

describe('what a setting has listed', () => {
  const recorded = async (): Promise<string[]> => {
    const types: string[] = [];
    for await (const { type } of store.readStream(gaslessJettonStream(place))) types.push(type);
    return types;
  };
  beforeEach(async () => {
    const metadata = { now: '2026-12-01T12:00:00.000Z', actor: 'settings' };
    listed = await importJettons(createHandle({ store }), place, [jetton], metadata);
  });

  it('has its code recorded without a request', async () => {
    const stopped = new AbortController();
    const looking = keepLookingAtJettons([{ ...states, jettons: async () => listed }], stopped.signal);
    await until(async () => (await recorded()).includes('GaslessJettonCodeRecorded'));
    stopped.abort();
    await looking;
    expect(await states.stateOf(listed[0]!)).toEqual({ state: 'as_listed', code: LISTED });
    expect(await recorded()).toEqual(['GaslessJettonListed', 'GaslessJettonCodeRecorded']);
  });

  it.each<[string, Partial<typeof DEPLOYED>, number]>([
    ['where it has other decimals', { decimals: 9 }, 0],
    ['where it is no jetton', { wallet: null }, 0],
    ['by nodes that are behind', {}, 121],
  ])('has no code recorded %s', async (_, changed, seconds) => {
    chain = { ...DEPLOYED, ...changed };
    nodesAt = now - seconds;
    await faulty();
    expect(await recorded()).toEqual(['GaslessJettonListed']);
  });
});
