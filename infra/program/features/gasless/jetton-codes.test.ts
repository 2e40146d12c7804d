import { beginCell, type Cell, TupleReader } from '@ton/core';
import { GetMethodFailed } from '../../../../contracts/ports/ton-client';
import type { ChangedCode, Relayer } from '../../../../services/gasless/deps';
import type { ListedJetton } from '../../../../services/gasless/jettons/decider';
import { watchJettonCodes } from './jetton-codes';

const MASTER = `0:${'1'.repeat(64)}`;
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

let now: number;
let chain: { master: number; wallet: number } | null;
let isDown: boolean;
let listed: readonly ListedJetton[];
let reported: ChangedCode[];
let changes: () => Promise<readonly ChangedCode[]>;

beforeEach(() => {
  [now, chain, isDown, listed, reported] = [0, { master: 1, wallet: 2 }, false, [jetton], []];
  const relayer = {
    jettons: async () => listed,
    codeOf: async ({ code }: ListedJetton) => code,
    reportChange: (change: ChangedCode) => reported.push(change),
    client: {
      async getLastBlock() {
        if (isDown) throw new Error('no node answers');
        return { seqno: 1, now: 1 };
      },
      getAccount: async () => ({ code: chain && codeOf(chain.master) }),
      async runMethod() {
        if (!chain) throw new GetMethodFailed('get_jetton_data', -256);
        const zero = { type: 'int', value: 0n } as const;
        return new TupleReader([zero, zero, zero, zero, { type: 'cell', cell: codeOf(chain.wallet) }]);
      },
    },
  };
  changes = watchJettonCodes(relayer as unknown as Relayer, () => now);
});

const change = (of: 'master' | 'wallet', found: string | null): ChangedCode => ({
  master: MASTER,
  of,
  listed: LISTED[of],
  found,
});

it('finds nothing while the code is as it was listed', async () => expect(await changes()).toEqual([]));

it.each<[string, typeof chain, ChangedCode]>([
  ['a master that was upgraded', { master: 3, wallet: 2 }, change('master', hashOf(3))],
  ['other code of its wallets', { master: 1, wallet: 4 }, change('wallet', hashOf(4))],
  ['a master that is gone', null, change('master', null)],
])('a minute after the last look it finds %s, and reports it', async (_, present, found) => {
  await changes();
  chain = present;
  now = 59_999;
  expect(await changes()).toEqual([]);
  now = 60_000;
  expect(await changes()).toEqual([found]);
  expect(reported).toEqual([found]);
});

it('what was found stays while no node answers', async () => {
  chain = { master: 3, wallet: 2 };
  await changes();
  [isDown, now] = [true, 60_000];
  expect(await changes()).toEqual([change('master', hashOf(3))]);
});

it('looks at nothing that is paused, or whose code nobody has read', async () => {
  chain = { master: 3, wallet: 4 };
  listed = [
    { ...jetton, isPaused: true },
    { ...jetton, code: null },
  ];
  expect(await changes()).toEqual([]);
});
