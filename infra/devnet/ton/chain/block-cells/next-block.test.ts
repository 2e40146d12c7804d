import { createHash } from 'node:crypto';
import {
  Address,
  type Cell,
  type CurrencyCollection,
  Dictionary,
  type Slice,
  beginCell,
  loadCurrencyCollection,
} from '@ton/core';
import {
  proveTonTransaction,
  provenTonTransaction,
} from '../../../../../contracts/chain/ton-transaction-proof';
import { type Block, hashesWithoutCells, masterchainId, shardId, shardTip } from '../block';
import { type ShardBlock, WHOLE, advance, merge, split } from '../shards';
import type { BlockTransaction } from './account-blocks';
import { CURRENCIES } from './currencies';
import { type NextBlock, type NextContent, nextBlock } from './next-block';

const low = `0:${'1a'.repeat(32)}`;
const high = `0:${'fa'.repeat(32)}`;
const elector = `-1:${'33'.repeat(32)}`;

const zero: Block = {
  seqno: 0,
  utime: 1_000,
  endLt: 0,
  branch: null,
  ...hashesWithoutCells(Buffer.alloc(32, 7)),
  shards: [{ shard: WHOLE, seqno: 0 }],
};

const other = (amount: bigint): CurrencyCollection['other'] =>
  Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5)).set(100, amount);

/** A double of a transaction, with the fields that a block reads. */
function transaction(account: string, lt: number, fees: CurrencyCollection): BlockTransaction {
  const update = beginCell()
    .storeUint(0x72, 8)
    .storeUint(lt, 256)
    .storeUint(lt + 1, 256);
  const cell = beginCell()
    .storeUint(7, 4)
    .storeBuffer(Address.parseRaw(account).hash)
    .storeUint(lt, 64)
    .storeUint(0, 256 + 64 + 32 + 15 + 4)
    .storeRef(beginCell().storeUint(0, 2));
  CURRENCIES.store(fees, cell);
  return { account, lt, cell: cell.storeRef(update).storeRef(beginCell()).endCell() };
}

const next = (previous: Block, content: Partial<NextContent> = {}): NextBlock =>
  nextBlock(previous, {
    globalId: -3,
    utime: 1_001,
    startLt: 1_000_000,
    endLt: 1_000_009,
    branch: 0,
    shards: advance(previous.shards),
    transactions: [],
    ...content,
  });

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const hashesOf = (cell: Cell): string[] => [cell.hash().toString('hex'), sha256(cell.toBoc())];

interface Named {
  readonly endLt: bigint;
  readonly seqno: number;
  readonly hashes: string[];
}

/** Reads `ext_blk_ref`. */
const named = (slice: Slice): Named => ({
  endLt: slice.loadUintBig(64),
  seqno: slice.loadUint(32),
  hashes: [slice.loadBuffer(32), slice.loadBuffer(32)].map(hash => hash.toString('hex')),
});

/** Reads a block of either kind. */
function read(block: Cell) {
  const root = block.beginParse();
  expect([root.loadUint(32), root.loadInt(32)]).toEqual([0x11ef55aa, -3]);
  const [info, , , extra] = block.refs.map(ref => ref.beginParse(true)) as [Slice, Slice, Slice, Slice];
  expect([info.loadUint(32), info.loadUint(32)]).toEqual([0x9bc7a987, 0]);
  const [isShard, isAfterMerge] = [info.loadBit(), info.loadBit()];
  const isAfterSplit = info.skip(1).loadBit();
  const seqno = info.skip(4 + 8).loadUint(32);
  const prefixLength = info.skip(32 + 2).loadUint(6);
  const workchain = info.loadInt(32);
  const prefix = info.loadUintBig(64);
  const utime = info.loadUint(32);
  const [startLt, endLt] = [info.loadUint(64), info.loadUint(64)];
  info.skip(5 * 32 - 32);
  expect(info.remainingBits).toBe(0);
  const masterchain = isShard ? named(info.loadRef().beginParse()) : null;
  const previousCell = info.loadRef();
  const previous = isAfterMerge
    ? previousCell.refs.map(ref => named(ref.beginParse()))
    : [named(previousCell.beginParse())];

  expect(extra.loadUint(32)).toBe(0x4a33f6fd);
  const accounts = extra.skip(0).loadRef() && extra.loadRef() && extra.loadRef().beginParse();
  const transactions = accounts.loadBit()
    ? [
        ...Dictionary.loadDirect(Dictionary.Keys.BigUint(256), ACCOUNT_BLOCK, accounts.loadRef()).values(),
      ].flat()
    : [];
  const fees = loadCurrencyCollection(accounts);
  const custom = extra.skip(512).loadMaybeRef();
  const update = block.refs[2]!.beginParse(true).skip(8);
  const states = [update.loadBuffer(32), update.loadBuffer(32)].map(hash => hash.toString('hex'));
  return {
    isAfterSplit,
    seqno,
    workchain,
    utime,
    startLt,
    endLt,
    masterchain,
    previous,
    states,
    shard: [prefix.toString(16), prefixLength],
    transactions,
    fees,
    custom,
  };
}

const ACCOUNT_BLOCK = {
  serialize: () => {},
  parse(slice: Slice) {
    const total = loadCurrencyCollection(slice);
    expect(slice.loadUint(4)).toBe(5);
    const account = slice.loadBuffer(32).toString('hex');
    const transactions = [...Dictionary.loadDirect(Dictionary.Keys.BigUint(64), TRANSACTION, slice)];
    expect(transactions.reduce((sum, [, { fees }]) => sum + fees.coins, 0n)).toBe(total.coins);
    const update = slice.loadRef().beginParse();
    expect(update.loadUint(8)).toBe(0x72);
    const [first, last] = [transactions[0]![0], transactions.at(-1)![0]];
    expect([update.loadUintBig(256), update.loadUintBig(256)]).toEqual([first, last + 1n]);
    return transactions.map(([lt, { cell }]) => [account, lt, cell.hash().toString('hex')]);
  },
};
const TRANSACTION = {
  serialize: () => {},
  parse: (slice: Slice) => ({ fees: loadCurrencyCollection(slice), cell: slice.loadRef() }),
};

/** Reads the blocks of shards that a block of the masterchain names: their seqnos and hashes, in the order of the shards. */
function shardsOf(masterchain: Cell) {
  const extra = read(masterchain).custom!.beginParse();
  expect([extra.loadUint(16), extra.loadBit()]).toEqual([0xcca5, false]);
  const tree = extra.loadDict(Dictionary.Keys.Int(32), Dictionary.Values.Cell()).get(0)!;
  const leaves = (cell: Cell): { seqno: number; hashes: string[]; utime: number; fees: bigint }[] => {
    const slice = cell.beginParse();
    if (slice.loadBit()) return cell.refs.flatMap(leaves);
    expect(slice.loadUint(4)).toBe(0xa);
    const seqno = slice.loadUint(32);
    slice.skip(32 + 64 + 64);
    const hashes = [slice.loadBuffer(32), slice.loadBuffer(32)].map(hash => hash.toString('hex'));
    // Flags, next_catchain_seqno, next_validator_shard, min_ref_mc_seqno.
    const utime = slice.skip(8 + 32 + 64 + 32).loadUint(32);
    return [{ seqno, hashes, utime, fees: slice.loadRef().beginParse().loadCoins() }];
  };
  return leaves(tree);
}

const facts = ({ account, lt, cell }: BlockTransaction): unknown[] => [
  account.split(':')[1],
  BigInt(lt),
  cell.hash().toString('hex'),
];

it('has the transactions of the basechain in the block of the shard, those of the masterchain in its own', () => {
  const transactions = [
    transaction(low, 1_000_000, { coins: 5n }),
    transaction(elector, 1_000_001, { coins: 900n }),
    transaction(high, 1_000_002, { coins: 7n, other: other(3n) }),
    transaction(low, 1_000_003, { coins: 11n }),
  ];
  const { cells, block } = next(zero, { transactions });
  const [shard, masterchain] = cells.map(read);
  expect(cells).toHaveLength(2);
  expect(shard).toMatchObject({
    workchain: 0,
    seqno: 1,
    shard: ['0', 0],
    utime: 1_001,
    startLt: 1_000_000,
    endLt: 1_000_009,
    transactions: [transactions[0]!, transactions[3]!, transactions[2]!].map(facts),
  });
  expect([shard!.fees.coins, shard!.fees.other!.get(100)]).toEqual([23n, 3n]);
  expect(masterchain).toMatchObject({ workchain: -1, seqno: 1, transactions: [facts(transactions[1]!)] });
  expect(masterchain!.fees.coins).toBe(900n);
  expect(shardsOf(cells[1]!)).toEqual([{ seqno: 1, hashes: hashesOf(cells[0]!), utime: 1_001, fees: 23n }]);
  expect(block).toMatchObject({ seqno: 1, utime: 1_001, endLt: 1_000_009, branch: 0 });
});

it('has hashes of cells and their bags in the ids of its blocks', () => {
  const { block, cells } = next(zero);
  const ids = [shardId(block, block.shards[0]!), masterchainId(block)];
  const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');
  expect(ids.map(({ rootHash, fileHash }) => [hex(rootHash), hex(fileHash)])).toEqual(cells.map(hashesOf));
});

it('names the blocks before it, and begins with the state in which they end', () => {
  const first = next(zero);
  const second = next(first.block);
  const [shard, masterchain] = second.cells.map(read);
  const [before, masterchainBefore] = first.cells.map(hashesOf);
  expect(shard!.previous).toEqual([{ endLt: 1_000_009n, seqno: 1, hashes: before }]);
  expect(masterchain!.previous).toEqual([{ endLt: 1_000_009n, seqno: 1, hashes: masterchainBefore }]);
  expect(shard!.masterchain).toEqual(masterchain!.previous[0]);
  expect(second.cells.map(cell => read(cell).states[0])).toEqual(
    first.cells.map(cell => read(cell).states[1]),
  );
  const paid = next(first.block, { transactions: [transaction(low, 1_000_000, { coins: 1n })] });
  expect(read(paid.cells[0]!).states[1]).not.toBe(shard!.states[1]);
});

it('splits and merges shards, each in a block with the transactions and one after it', () => {
  const before = next(zero);
  const transactions = [
    transaction(low, 1_000_000, { coins: 5n }),
    transaction(high, 1_000_001, { coins: 6n }),
  ];
  const halves = next(before.block, { shards: split(before.block.shards), transactions });
  const [lower, lowerTip, upper, upperTip, masterchain] = halves.cells.map(read);
  expect(halves.cells).toHaveLength(5);
  expect(lower).toMatchObject({
    isAfterSplit: true,
    shard: ['0', 1],
    transactions: [facts(transactions[0]!)],
  });
  expect(upper).toMatchObject({
    isAfterSplit: true,
    seqno: 2,
    shard: ['8000000000000000', 1],
    transactions: [facts(transactions[1]!)],
  });
  expect([lower, upper].map(({ previous } = upper!) => previous[0]!.hashes)).toEqual([
    hashesOf(before.cells[0]!),
    hashesOf(before.cells[0]!),
  ]);
  expect([lowerTip, upperTip].map(tip => [tip!.seqno, tip!.isAfterSplit, tip!.transactions])).toEqual([
    [3, false, []],
    [3, false, []],
  ]);
  expect(shardsOf(halves.cells[4]!)).toEqual([
    { seqno: 3, hashes: hashesOf(halves.cells[1]!), utime: 1_001, fees: 5n },
    { seqno: 3, hashes: hashesOf(halves.cells[3]!), utime: 1_001, fees: 6n },
  ]);
  expect(masterchain!.seqno).toBe(2);

  const whole = next(halves.block, { shards: merge(halves.block.shards) });
  const merged = read(whole.cells[0]!);
  expect(merged).toMatchObject({ seqno: 4, shard: ['0', 0], isAfterSplit: false });
  expect(merged.previous.map(({ hashes }) => hashes)).toEqual([
    hashesOf(halves.cells[1]!),
    hashesOf(halves.cells[3]!),
  ]);
});

it('differs after a rollback, with the same transactions at the same time', () => {
  const [kept, dropped] = [next(zero, { branch: 1 }), next(zero, { branch: 0 })];
  kept.cells.forEach((cell, index) => expect(cell.equals(dropped.cells[index]!)).toBe(false));
});

it('follows a block without cells, whose ids stay as they were', () => {
  const shards: ShardBlock[] = [{ shard: WHOLE, seqno: 8 }];
  const rootHash = Buffer.alloc(32, 1);
  const earlier: Block = { ...zero, ...hashesWithoutCells(rootHash), seqno: 9, endLt: 77, shards };
  const [shard, masterchain] = next(earlier).cells.map(read);
  const hash = (...parts: (string | Buffer)[]): Buffer =>
    parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest();
  const shardHash = hash(rootHash, `/${WHOLE}/8`);
  expect(shardTip(earlier, shards[0]!).rootHash).toEqual(shardHash);
  expect(shard!.previous).toEqual([
    {
      endLt: 77n,
      seqno: 8,
      hashes: [shardHash, hash('file', shardHash)].map(bytes => bytes.toString('hex')),
    },
  ]);
  expect(masterchain!.previous).toEqual([
    { endLt: 77n, seqno: 9, hashes: [rootHash, hash('file', rootHash)].map(bytes => bytes.toString('hex')) },
  ]);
});

it('proves the transactions that a block has, and no others', () => {
  const transactions = [1_000_000, 1_000_002].flatMap(lt => [
    transaction(low, lt, { coins: 5n }),
    transaction(high, lt + 1, { coins: 7n }),
  ]);
  const [shard, masterchain] = next(zero, { transactions }).cells as [Cell, Cell];
  for (const { account, lt, cell } of transactions) {
    const place = { account, lt: BigInt(lt) };
    const proof = proveTonTransaction(shard, place)!;
    expect(provenTonTransaction(proof, shard.hash(), place)).toEqual({
      globalId: -3,
      seqno: 1,
      transaction: cell,
    });
    expect(proveTonTransaction(masterchain, place)).toBeNull();
    for (const none of [
      { ...place, lt: place.lt + 4n },
      { ...place, account: `0:${'1b'.repeat(32)}` },
      { ...place, account: account.replace('0:', '-1:') },
    ])
      expect(proveTonTransaction(shard, none)).toBeNull();
    expect(proveTonTransaction(masterchain, { ...place, account: elector })).toBeNull();
  }
});
