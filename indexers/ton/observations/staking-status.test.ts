import { beginCell, Dictionary, TupleReader, type Builder, type Cell, type TupleItem } from '@ton/core';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { observe } from '../../../test/contracts/observation';
import { stakingStatusObservation } from './staking-status';

const ELECTOR = 'ab'.repeat(32);
const ROUND = 1_760_448_264;
const KEY = Buffer.alloc(32, 1);
const OTHER = Buffer.alloc(32, 2);

const INLINE = {
  serialize: (value: Builder, builder: Builder) => void builder.storeBuilder(value),
  parse: () => beginCell(),
};
const uints = (...values: readonly [number, number][]): Cell =>
  values.reduce((cell, [value, bits]) => cell.storeUint(value, bits), beginCell()).endCell();

const validator = (key: Buffer): Builder =>
  beginCell()
    .storeUint(0x73, 8)
    .storeUint(0x8e81278a, 32)
    .storeBuffer(key)
    .storeUint(9, 64)
    .storeBuffer(OTHER);

const CONFIG = new Map<number, Cell>([
  [1, beginCell().storeBuffer(Buffer.from(ELECTOR, 'hex')).endCell()],
  [15, uints([65_536, 32], [32_768, 32], [8_192, 32], [32_768, 32])],
  [16, uints([400, 16], [100, 16], [75, 16])],
  [17, beginCell().storeCoins(10n).storeCoins(20n).storeCoins(30n).storeUint(196_608, 32).endCell()],
  [
    34,
    beginCell()
      .storeUint(0x12, 8)
      .storeUint(ROUND, 32)
      .storeUint(ROUND + 65_536, 32)
      .storeUint(1, 16)
      .storeUint(1, 16)
      .storeUint(9, 64)
      .storeDict(Dictionary.empty(Dictionary.Keys.Uint(16), INLINE).set(0, validator(KEY)))
      .endCell(),
  ],
]);

const int = (value: number | bigint): TupleItem => ({ type: 'int', value: BigInt(value) });
const frozen = (key: Buffer): Cell => {
  const stake = beginCell().storeBuffer(OTHER).storeUint(9, 64).storeCoins(500n).storeBit(false);
  return beginCell()
    .storeDictDirect(Dictionary.empty(Dictionary.Keys.Buffer(32), INLINE).set(key, stake))
    .endCell();
};
const past = (id: number, of: Buffer | null): TupleItem => ({
  type: 'tuple',
  items: [
    ...[int(id), int(id + 98_304), int(32_768), int(7)],
    of ? { type: 'cell', cell: frozen(of) } : { type: 'null' },
    ...[int(10n ** 18n), int(5)],
  ],
});
const list = (items: readonly TupleItem[]): TupleItem =>
  items.reduceRight<TupleItem>((tail, head) => ({ type: 'tuple', items: [head, tail] }), { type: 'null' });

const participant = beginCell()
  .storeCoins(700n)
  .storeUint(ROUND, 32)
  .storeUint(196_608, 32)
  .storeBuffer(OTHER)
  .storeBuffer(KEY);
const OPEN = beginCell()
  .storeMaybeRef(
    beginCell()
      .storeUint(ROUND + 65_536, 32)
      .storeUint(ROUND + 57_344, 32)
      .storeCoins(1n)
      .storeCoins(700n)
      .storeDict(Dictionary.empty(Dictionary.Keys.Buffer(32), INLINE).set(KEY, participant))
      .endCell(),
  )
  .endCell();
const CLOSED = beginCell().storeMaybeRef(null).endCell();

interface Elector {
  readonly past?: readonly TupleItem[];
  readonly data?: Cell | null;
  readonly config?: ReadonlyMap<number, Cell>;
}

/** A double of a node at block 7. */
const nodeOf = ({
  past: entries = [past(ROUND, KEY)],
  data = OPEN,
  config = CONFIG,
}: Elector): Partial<TonClient> => ({
  getLastBlock: async () => ({ seqno: 7, now: ROUND }),
  getConfig: async () => config,
  runMethod: async () => new TupleReader([list(entries)]),
  getAccount: async (seqno, address) => {
    expect([seqno, address]).toEqual([7, `-1:${ELECTOR}`]);
    return { data } as Awaited<ReturnType<TonClient['getAccount']>>;
  },
});
const read = (elector: Elector = {}) =>
  observe(stakingStatusObservation, { network: 'mainnet' }, { ton: nodeOf(elector) });

test('the rules, who validates and who wants to, as of one block', async () => {
  const { height, data } = await read({ past: [past(ROUND - 65_536, null), past(ROUND, KEY)] });
  expect(height).toBe(7);
  expect(data).toMatchObject({
    validatorsElectedFor: 65_536,
    electorsStartBefore: 32_768,
    electorsEndBefore: 8_192,
    stakeHeldFor: 32_768,
    maxValidators: 400,
    maxMainValidators: 100,
    minValidators: 75,
    minStake: '10',
    maxStake: '20',
    validationFrom: ROUND,
    validationUntil: ROUND + 65_536,
    validators: [
      {
        key: 0,
        weight: '9',
        address: `-1:${OTHER.toString('hex')}`,
        stake: '500',
        adnl: OTHER.toString('base64'),
      },
    ],
    electionEntities: [
      {
        key: KEY.toString('base64'),
        amount: '700',
        address: `-1:${OTHER.toString('hex')}`,
        adnl: KEY.toString('base64'),
      },
    ],
  });
  expect(data.elections.map(({ id }) => id)).toEqual([ROUND, ROUND - 65_536]);
});

test('between elections nobody wants to', async () => {
  expect((await read({ data: CLOSED })).data.electionEntities).toEqual([]);
});

test.each<[string, Elector]>([
  ['the present round', { past: [past(ROUND - 65_536, KEY)] }],
  ['the stake of a validator', { past: [past(ROUND, OTHER)] }],
  ['stakes', { past: [past(ROUND, null)] }],
  ['data', { data: null }],
  ['the rules of stakes', { config: new Map([...CONFIG].filter(([id]) => id !== 17)) }],
  ['validators', { config: new Map([...CONFIG].filter(([id]) => id !== 34)) }],
])('is whole or fails: without %s', async (_, elector) => {
  await expect(read(elector)).rejects.toThrow();
});
