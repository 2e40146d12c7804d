import './ton-cells-copied';
import { type Cell, CellType, type Slice, beginCell, loadCurrencyCollection } from '@ton/core';
import { prunedBranch } from './ton-pruned-branch';

/** A transaction by its place: an account has at most one at a logical time. */
export interface TonTransactionPlace {
  /** Raw address. */
  readonly account: string;
  readonly lt: bigint;
}

/** What a block says of a transaction. */
export interface TransactionInBlock {
  /** Of the block, in its shard. */
  readonly seqno: number;
  /** The transaction, whole. */
  readonly transaction: Cell;
}

const BLOCK = 0x11ef55aa;
const BLOCK_INFO = 0x9bc7a987;
const BLOCK_EXTRA = 0x4a33f6fd;
const ACCOUNT_BLOCK = 5;
const TRANSACTION = 7;

/**
 * The transaction of a block, by the tables `block#11ef55aa`, `block_info#9bc7a987`, `block_extra#4a33f6fd` and `acc_trans#5` of
 * block.tlb; null when the block has none at this place.
 * @param follow called with every cell on the way
 * @throws for cells that are no block, or are pruned on the way
 */
function findTransaction(
  block: Cell,
  { account, lt }: TonTransactionPlace,
  follow: (cell: Cell) => void,
): TransactionInBlock | null {
  const open = (cell: Cell, tag = 0, tagBits = 0): Slice => {
    follow(cell);
    const slice = cell.beginParse();
    if (tagBits > 0 && slice.loadUint(tagBits) !== tag) throw new Error('not the cells of a block');
    return slice;
  };
  const [workchain, id] = account.split(':') as [string, string];
  const root = open(block, BLOCK, 32);
  const info = open(root.loadRef(), BLOCK_INFO, 32);
  // version, and the flags up to `flags:(## 8)`
  const seqno = info.skip(32 + 8 + 8).loadUint(32);
  // vert_seq_no, and the shard up to its workchain
  if (info.skip(32 + 8).loadInt(32) !== Number(workchain)) return null;

  // value_flow, state_update
  root.loadRef();
  root.loadRef();
  const extra = open(root.loadRef(), BLOCK_EXTRA, 32);
  // in_msg_descr, out_msg_descr
  extra.loadRef();
  extra.loadRef();
  const accounts = open(extra.loadRef());
  if (!accounts.loadBit()) return null;
  const accountBlock = seek(open(accounts.loadRef()), bitsOf(BigInt(`0x${id}`), 256), open);
  if (!accountBlock) return null;
  loadCurrencyCollection(accountBlock);
  if (accountBlock.loadUint(4) !== ACCOUNT_BLOCK || accountBlock.loadBuffer(32).toString('hex') !== id)
    throw new Error('not the block of the account');
  const leaf = seek(accountBlock, bitsOf(lt, 64), open);
  if (!leaf) return null;
  loadCurrencyCollection(leaf);
  const transaction = leaf.loadRef();
  const head = transaction.beginParse();
  if (
    head.loadUint(4) !== TRANSACTION ||
    head.loadBuffer(32).toString('hex') !== id ||
    head.loadUintBig(64) !== lt
  )
    throw new Error('not the transaction of the account');
  return { seqno, transaction };
}

const bitsOf = (key: bigint, length: number): string => key.toString(2).padStart(length, '0');

/**
 * Follows a key through `HashmapAug`.
 * @param edge its root
 * @returns what is stored behind the label of the leaf: extra and value; null when the key is missing
 */
function seek(edge: Slice, key: string, open: (cell: Cell) => Slice): Slice | null {
  let slice = edge;
  for (let at = 0; ; at += 1) {
    const label = readLabel(slice, key.length - at);
    if (!key.startsWith(label, at)) return null;
    at += label.length;
    if (at === key.length) return slice;
    const branches = [slice.loadRef(), slice.loadRef()] as const;
    slice = open(branches[Number(key[at])]!);
  }
}

/** `HmLabel ~l n` of block.tlb. @param max n, the bits of the key that are left */
function readLabel(slice: Slice, max: number): string {
  const lengthBits = 32 - Math.clz32(max);
  const bits = (length: number): string => {
    if (length > max) throw new Error('label is longer than the key');
    return length === 0 ? '' : bitsOf(slice.loadUintBig(length), length);
  };
  if (!slice.loadBit()) {
    let length = 0;
    while (slice.loadBit()) length += 1;
    return bits(length);
  }
  if (!slice.loadBit()) return bits(slice.loadUint(lengthBits));
  const bit = slice.loadBit() ? '1' : '0';
  const length = slice.loadUint(lengthBits);
  if (length > max) throw new Error('label is longer than the key');
  return bit.repeat(length);
}

/**
 * A Merkle proof that a block has a transaction: the block with nothing but the way to the transaction, which is whole; null when
 * the block has none at this place.
 * @param block whole
 * @throws for cells that are no block
 */
export function proveTonTransaction(block: Cell, place: TonTransactionPlace): Cell | null {
  const onTheWay = new Set<Cell>();
  const found = findTransaction(block, place, cell => onTheWay.add(cell));
  if (!found) return null;
  const keep = (cell: Cell): Cell => {
    if (cell === found.transaction) return cell;
    if (!onTheWay.has(cell)) return prunedBranch(cell.hash(0), cell.depth(0));
    const copy = beginCell().storeBits(cell.bits);
    for (const ref of cell.refs) copy.storeRef(keep(ref));
    return copy.endCell();
  };
  // `!merkle_proof#03 virtual_hash:bits256 depth:uint16 virtual_root:^X`
  return beginCell()
    .storeUint(3, 8)
    .storeBuffer(block.hash(0))
    .storeUint(block.depth(0), 16)
    .storeRef(keep(block))
    .endCell({ exotic: true });
}

/**
 * What a Merkle proof proves of the block with this root hash: its transaction at this place. Null when it does not prove it.
 * It says nothing of whether the network has this block.
 * @param rootHash representation hash of the block
 */
export function provenTonTransaction(
  proof: Cell,
  rootHash: Buffer,
  place: TonTransactionPlace,
): TransactionInBlock | null {
  if (proof.type !== CellType.MerkleProof) return null;
  const block = proof.refs[0]!;
  if (!block.hash(0).equals(rootHash)) return null;
  try {
    const found = findTransaction(block, place, () => {});
    // A cell with pruned branches has a level.
    return found?.transaction.level() === 0 ? found : null;
  } catch {
    return null;
  }
}
