import { join } from 'node:path';
import { Address, Cell, beginCell, comment, internal, loadTransaction, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import fc from 'fast-check';
import { type MasterchainProof, provenInMasterchain } from '../../contracts/chain/ton-masterchain-proof';
import { type TonTransactionPlace, provenTonTransaction } from '../../contracts/chain/ton-transaction-proof';
import { clientOf, quietDevnet } from '../devnet/ton';
import { runs } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { type BlockProof, provenPlace } from '../proofs/proven-place';
import { openDatabase } from '../../infra/engines/sqlite/database';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { ELECTOR_ADDRESS } from '../../infra/devnet/ton/elections/elector';
import { type LocalWallet, localWallet, transfer } from '../../infra/devnet/ton/wallets';

const low = Address.parseRaw(`0:${'1a'.repeat(32)}`);
const high = Address.parseRaw(`0:${'fa'.repeat(32)}`);
const dataDir = temporaryFolder();
let devnet: TonDevnet;
let client: TonClient4;
let wallet: LocalWallet;

const start = async (): Promise<void> => {
  devnet = await quietDevnet({ dataDir });
  client = clientOf(devnet.url);
};

interface Newest {
  readonly place: TonTransactionPlace;
  readonly hash: Buffer;
}

async function newestOf(owner: Address): Promise<Newest> {
  const { last } = await client.getLastBlock();
  const { lt, hash } = (await client.getAccountLite(last.seqno, owner)).account.last!;
  return { place: { account: owner.toRawString(), lt: BigInt(lt) }, hash: Buffer.from(hash, 'base64') };
}

const prove = ({ place: { account, lt }, hash }: Newest) =>
  provenPlace(devnet.url, { account, lt: lt.toString(), hash: hash.toString('hex') });

async function proofOf(newest: Newest) {
  const found = await prove(newest);
  const { block, transactionProof } = found;
  return {
    proof: Cell.fromBase64(transactionProof),
    rootHash: hashOf(block),
    block,
    masterchain: found.level === 'masterchain' ? found : null,
  };
}

const hashOf = ({ rootHash }: BlockProof['block']): Buffer => Buffer.from(rootHash, 'hex');

/** As nodes list it. */
const listedAs = ({ seqno, rootHash }: BlockProof['block']) =>
  expect.objectContaining({ seqno, rootHash: Buffer.from(rootHash, 'hex').toString('base64') }) as object;

const cellsOf = ({
  shardProof,
  previousProofs,
}: Extract<BlockProof, { level: 'masterchain' }>): MasterchainProof => ({
  masterchain: Cell.fromBase64(shardProof),
  previous: previousProofs.map(each => Cell.fromBase64(each)),
});

const pay = (text: string): Promise<void> =>
  transfer(
    client,
    wallet,
    [low, high].map(to => internal({ to, value: 1n, bounce: false, body: comment(text) })),
  );

/** @returns how many blocks of the shard are before the one that the masterchain names; null for what is in the masterchain itself */
async function expectProven(newest: Newest): Promise<number | null> {
  const { proof, rootHash, block, masterchain } = await proofOf(newest);
  const proven = provenTonTransaction(proof, rootHash, newest.place);
  expect(proven?.transaction.hash().toString('hex')).toBe(newest.hash.toString('hex'));
  expect(proven!.seqno).toBe(block.seqno);
  if (!masterchain) return null;
  const { account } = newest.place;
  const named = masterchain.masterchain;
  const shown = provenInMasterchain(cellsOf(masterchain), hashOf(named), { account, rootHash });
  expect(shown?.seqno).toBe(named.seqno);
  expect((await client.getBlock(shown!.seqno)).shards).toContainEqual(listedAs(named));
  return masterchain.previousProofs.length;
}

beforeAll(async () => {
  await start();
  wallet = localWallet('proofs', 'v5r1', 'testnet');
  await devnet.faucet(wallet.contract.address.toString(), toNano(10));
  await pay('the head of the ledger');
});
afterAll(() => devnet.close());

it('proves that a block, which the masterchain lists, has a transaction with its comment', async () => {
  const newest = await newestOf(low);
  const { proof, rootHash, block } = await proofOf(newest);
  const { transaction } = provenTonTransaction(proof, rootHash, newest.place)!;
  const { inMessage } = loadTransaction(transaction.beginParse());
  expect(inMessage!.body.beginParse().skip(32).loadStringTail()).toBe('the head of the ledger');
  const { last } = await client.getLastBlock();
  expect((await client.getBlock(last.seqno)).shards).toContainEqual(listedAs(block));
});

it('proves transactions of the masterchain, and those in blocks that split and merge shards', async () => {
  const elector = Address.parseRaw(ELECTOR_ADDRESS);
  await devnet.faucet(ELECTOR_ADDRESS, 5n);
  expect(await expectProven(await newestOf(elector))).toBeNull();
  for (const reshard of ['splitShards', 'mergeShards'] as const) {
    await devnet.simulation.pause();
    const given = devnet.faucet(high.toString(), 5n);
    await devnet.simulation[reshard]();
    await given;
    await devnet.simulation.resume();
    // The block that the masterchain names is the one after it.
    expect(await expectProven(await newestOf(high))).toBe(1);
    await pay('in the next block');
    for (const to of [low, high]) expect(await expectProven(await newestOf(to))).toBe(0);
  }
});

it('proves the same after a restart and a fork', async () => {
  const before = await newestOf(high);
  const { proof } = await proofOf(before);
  const { last } = await client.getLastBlock();
  await pay('dropped');
  await devnet.simulation.rollbackTo(last.seqno);
  await devnet.close();
  await start();
  expect((await proofOf(before)).proof.equals(proof)).toBe(true);
  await pay('after it');
  await expectProven(await newestOf(high));
});

/** The cell with another bit, and what is proven made to fit. */
function withFlippedBit(proof: Cell, at: number): Cell {
  let left = at;
  const copy = (cell: Cell): Cell => {
    const bits = [...Array(cell.bits.length).keys()].map(index => cell.bits.at(index));
    if (left >= 0 && left < bits.length) bits[left] = !bits[left];
    left -= bits.length;
    const made = beginCell();
    for (const bit of bits) made.storeBit(bit);
    for (const ref of cell.refs) made.storeRef(copy(ref));
    return made.endCell({ exotic: cell.isExotic });
  };
  const block = copy(proof.refs[0]!);
  const head = beginCell().storeUint(3, 8).storeBuffer(block.hash(0)).storeUint(block.depth(0), 16);
  return head.storeRef(block).endCell({ exotic: true });
}

const bitsIn = (cell: Cell): number => cell.refs.reduce((sum, ref) => sum + bitsIn(ref), cell.bits.length);

it('no longer proves anything when any bit of it, of the place or of the root hash is another one', async () => {
  const newest = await newestOf(low);
  const { place } = newest;
  const { proof, rootHash } = await proofOf(newest);
  const bits = bitsIn(proof.refs[0]!);
  fc.assert(
    fc.property(fc.nat({ max: bits - 1 }), at => {
      let flipped: Cell;
      try {
        flipped = withFlippedBit(proof, at);
      } catch {
        return; // No longer cells.
      }
      expect(provenTonTransaction(flipped, rootHash, place)).toBeNull();
    }),
    runs(100),
  );
  fc.assert(
    fc.property(fc.nat({ max: 255 }), at => {
      const hash = Buffer.from(rootHash);
      hash[at >> 3]! ^= 1 << (at & 7);
      expect(provenTonTransaction(proof, hash, place)).toBeNull();
      const account = `0:${(BigInt(`0x${place.account.slice(2)}`) ^ (1n << BigInt(at))).toString(16).padStart(64, '0')}`;
      expect(provenTonTransaction(proof, rootHash, { ...place, account })).toBeNull();
      expect(
        provenTonTransaction(proof, rootHash, { ...place, lt: place.lt ^ (1n << BigInt(at >> 2)) }),
      ).toBeNull();
    }),
    runs(100),
  );
  expect(
    provenTonTransaction(proof, rootHash, { ...place, account: place.account.replace('0:', '-1:') }),
  ).toBeNull();
  expect(provenTonTransaction(proof.refs[0]!, rootHash, place)).toBeNull();
  expect(provenTonTransaction(proof, rootHash, place)).not.toBeNull();
});

it('no longer proves a block of the masterchain when any bit of it is another one, nor for other accounts', async () => {
  await devnet.simulation.pause();
  const given = devnet.faucet(high.toString(), 5n);
  await devnet.simulation.splitShards();
  await given;
  await devnet.simulation.resume();
  const newest = await newestOf(high);
  const { rootHash, masterchain } = await proofOf(newest);
  const { account } = newest.place;
  const hash = hashOf(masterchain!.masterchain);
  const whole = cellsOf(masterchain!);
  const [step] = whole.previous as [Cell];
  const shown = (proof: MasterchainProof, at = hash, of = { account, rootHash }) =>
    provenInMasterchain(proof, at, of);
  expect(shown(whole)).toMatchObject({ seqno: masterchain!.masterchain.seqno });
  fc.assert(
    fc.property(fc.boolean(), fc.nat(), (isStep, at) => {
      const flippedOf = isStep ? step : whole.masterchain;
      let flipped: Cell;
      try {
        flipped = withFlippedBit(flippedOf, at % bitsIn(flippedOf.refs[0]!));
      } catch {
        return; // No longer cells.
      }
      expect(
        shown(isStep ? { ...whole, previous: [flipped] } : { ...whole, masterchain: flipped }),
      ).toBeNull();
    }),
    runs(100),
  );
  for (const [proof, at, of] of [
    [{ ...whole, previous: [] }, hash, { account, rootHash }],
    [{ ...whole, previous: [step, step] }, hash, { account, rootHash }],
    [{ ...whole, masterchain: step }, hash, { account, rootHash }],
    [whole, rootHash, { account, rootHash }],
    [whole, hash, { account, rootHash: hash }],
    [whole, hash, { account: low.toRawString(), rootHash }],
    [whole, hash, { account: account.replace('0:', '-1:'), rootHash }],
  ] as const)
    expect(shown(proof, at, of)).toBeNull();
  await devnet.simulation.mergeShards();
});

it('does not prove a transaction of which a part is missing', async () => {
  const newest = await newestOf(low);
  const { proof, rootHash } = await proofOf(newest);
  const transaction = provenTonTransaction(proof, rootHash, newest.place)!.transaction.hash();
  const prune = (cell: Cell): Cell =>
    beginCell()
      .storeUint(0x0101, 16)
      .storeBuffer(cell.hash(0))
      .storeUint(cell.depth(0), 16)
      .endCell({ exotic: true });
  const without = (cell: Cell): Cell => {
    const copy = beginCell().storeBits(cell.bits);
    const isTransaction = cell.hash().equals(transaction);
    for (const ref of cell.refs) copy.storeRef(isTransaction ? prune(ref) : without(ref));
    return copy.endCell({ exotic: cell.isExotic });
  };
  const pruned = without(proof);
  expect(pruned.refs[0]!.hash(0).equals(rootHash)).toBe(true);
  expect(provenTonTransaction(pruned, rootHash, newest.place)).toBeNull();
});

it('has no proof of unknown transactions, nor of blocks that an earlier version made', async () => {
  const newest = await newestOf(low);
  await expect(prove({ ...newest, hash: Buffer.alloc(32) })).rejects.toThrow(
    'no node says which block has the transaction',
  );
  const { last } = await client.getLastBlock();
  await devnet.close();
  const db = openDatabase(join(dataDir, 'ton-testnet.sqlite'));
  db.exec(
    `DROP TABLE block_cells; UPDATE blocks SET shards = '[{"shard":"8000000000000000","seqno":' || seqno || '}]'`,
  );
  db.close();
  await start();
  const blocks = await client.getBlock(last.seqno);
  expect(blocks.shards[0]!.rootHash).toBe(last.rootHash);
  await expect(prove(newest)).rejects.toThrow('HTTP 404');
  await pay('by this version');
  await expectProven(await newestOf(low));
});
