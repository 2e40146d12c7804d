import { NothingToObserve } from '../../../contracts/observation/nothing-to-observe';
import { beginCell, type Cell, type TupleItem, TupleReader } from '@ton/core';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { observe } from '../../../test/contracts/observation';
import { tonElectionObservation, tonElectionsObservation } from './elections';

const ELECTOR = 'ab'.repeat(32);
const ROUND_START = 1_760_448_264;

const int = (value: number | bigint): TupleItem => ({ type: 'int', value: BigInt(value) });
const list = (items: readonly TupleItem[]): TupleItem =>
  items.reduceRight<TupleItem>((tail, head) => ({ type: 'tuple', items: [head, tail] }), { type: 'null' });
const past = (id: number, bonuses: bigint): TupleItem => ({
  type: 'tuple',
  items: [int(id), int(id + 98_304), int(32_768), int(7), { type: 'null' }, int(10n ** 18n), int(bonuses)],
});

const CONFIG = new Map<number, Cell>([
  [1, beginCell().storeBuffer(Buffer.from(ELECTOR, 'hex')).endCell()],
  [15, [65_536, 32_768, 8_192, 32_768].reduce((cell, n) => cell.storeUint(n, 32), beginCell()).endCell()],
  [34, beginCell().storeUint(0x12, 8).storeUint(ROUND_START, 32).storeUint(0, 64).endCell()],
]);

/** A double of a node at block 7, whose elector answers with these stacks. */
function electorWith(stacks: Record<string, readonly TupleItem[]>, config = CONFIG): Partial<TonClient> {
  return {
    getLastBlock: async () => ({ seqno: 7, now: ROUND_START }),
    getConfig: async () => config,
    runMethod: async (seqno, address, method) => {
      expect([seqno, address]).toEqual([7, `-1:${ELECTOR}`]);
      return new TupleReader([...stacks[method]!]);
    },
  };
}

const read = (ton: Partial<TonClient>) => observe(tonElectionsObservation, { network: 'mainnet' }, { ton });

test('the elections of the elector that the configuration names, oldest first, with exact stakes', async () => {
  const stacks = {
    past_elections: [list([past(ROUND_START, 0n), past(ROUND_START - 65_536, 10n ** 14n + 1n)])],
    active_election_id: [int(ROUND_START + 65_536)],
  };
  const { height, data } = await read(electorWith(stacks));
  expect(height).toBe(7);
  expect(data).toEqual({
    elections: [
      {
        id: ROUND_START - 65_536,
        unfreezeAt: ROUND_START + 32_768,
        stakeHeld: 32_768,
        totalStake: '1000000000000000000',
        bonuses: '100000000000001',
      },
      expect.objectContaining({ id: ROUND_START, bonuses: '0' }),
    ],
    openElection: ROUND_START + 65_536,
    roundStart: ROUND_START,
    roundSeconds: 65_536,
  });
});

test('an elector that has held no election', async () => {
  const { data } = await read(
    electorWith({ past_elections: [{ type: 'null' }], active_election_id: [int(0)] }),
  );
  expect(data).toMatchObject({ elections: [], openElection: null });
});

const NO_CURRENT_SET = new Map([[1, CONFIG.get(1)!]]);

test.each([
  ['no tuples', [list([int(1)])], CONFIG],
  ['too few fields', [list([{ type: 'tuple', items: [int(1)] }])], CONFIG],
  ['nothing', [], CONFIG],
  ['no parameter 34', [list([])], NO_CURRENT_SET],
])('an answer of %s fails the reading', async (_, past_elections, config) => {
  const elector = electorWith({ past_elections, active_election_id: [int(0)] }, config);
  await expect(read(elector)).rejects.toThrow();
});

describe('one election', () => {
  const LAST = ROUND_START - 65_536;
  /** Between the end of a round and the return of its stakes. */
  const heldAt = (id: number): number => id + 65_536 + 16_384;
  const startingAt = (start: number) =>
    new Map([
      ...CONFIG,
      [34, beginCell().storeUint(0x12, 8).storeUint(start, 32).storeUint(0, 64).endCell()],
    ]);

  interface At {
    readonly roundStart: number;
    readonly past: readonly TupleItem[];
  }
  /** A double of a node: block 7 is the newest, and of others it knows these. */
  function readOne(
    id: number,
    blocks: Record<number, At>,
    blockAt: (utime: number) => number | null = () => null,
  ) {
    const at = (seqno: number): At => {
      if (!blocks[seqno]) throw new Error(`no block ${seqno}`);
      return blocks[seqno];
    };
    const ton: Partial<TonClient> = {
      getLastBlock: async () => ({ seqno: 7, now: ROUND_START + 60_000 }),
      getConfig: async seqno => startingAt(at(seqno).roundStart),
      runMethod: async seqno => new TupleReader([list(at(seqno).past)]),
      getBlockAt: async utime => blockAt(utime),
    };
    return observe(tonElectionObservation, { network: 'mainnet', id }, { ton });
  }
  const NOW: At = { roundStart: ROUND_START, past: [past(ROUND_START, 5n), past(LAST, 6n)] };

  test('whose round is over is as the elector holds it', async () => {
    const { height, data } = await readOne(LAST, { 7: NOW });
    expect(height).toBe(7);
    expect(data).toMatchObject({ id: LAST, bonuses: '6' });
  });

  test('whose round is not over is not read: it may earn more', async () => {
    await expect(readOne(ROUND_START, { 7: NOW })).rejects.toThrow(NothingToObserve);
  });

  const FORGOTTEN = LAST - 3 * 65_536;
  const THEN: At = { roundStart: FORGOTTEN + 65_536, past: [past(FORGOTTEN, 8n)] };
  const blockAt = (utime: number): number | null => (utime === heldAt(FORGOTTEN) ? 4 : null);

  test.each([
    ['a block in which the elector held it', { 4: THEN }, 4],
    [
      'the next block, where there was none in that time',
      { 4: { ...THEN, roundStart: FORGOTTEN }, 5: THEN },
      5,
    ],
  ])('that the elector has forgotten is as of %s', async (_, blocks, expected) => {
    const { height, data } = await readOne(FORGOTTEN, { 7: NOW, ...blocks }, blockAt);
    expect(height).toBe(expected);
    expect(data).toMatchObject({ id: FORGOTTEN, bonuses: '8' });
  });

  test.each([
    ['of which the nodes do not have the block', FORGOTTEN, {}],
    ['that was never held', FORGOTTEN - 1, { 4: THEN }],
    ['that was over in none of the blocks', FORGOTTEN, { 4: { ...THEN, roundStart: FORGOTTEN } }],
  ])('that the elector has forgotten is nothing else, %s', async (_, id, blocks) => {
    await expect(readOne(id, { 7: NOW, ...blocks }, blockAt)).rejects.toThrow(NothingToObserve);
  });
});

test('subjects are written and parsed', () => {
  for (const network of ['mainnet', 'testnet'] as const) {
    const elections = tonElectionsObservation.subject;
    expect(elections.parse(elections.format({ network }))).toEqual({ network });
    const election = tonElectionObservation.subject;
    expect(election.parse(election.format({ network, id: 7 }))).toEqual({ network, id: 7 });
  }
});

test.each(['ton:devnet', 'ton:', 'solana:mainnet', 'ton:mainnet:7'])('no network: %s', text => {
  expect(() => tonElectionsObservation.subject.parse(text)).toThrow('not a TON network');
});

test.each(['ton:devnet:7', 'ton:mainnet', 'ton:mainnet:-7', 'ton:mainnet:7:8', 'ton:mainnet:'])(
  'no election: %s',
  text => {
    expect(() => tonElectionObservation.subject.parse(text)).toThrow('not an election');
  },
);
