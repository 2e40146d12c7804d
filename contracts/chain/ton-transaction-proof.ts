import { type Cell, loadCurrencyCollection } from '@ton/core';
import { openBlock } from './ton-block-cells';
import { bitsOf, seek } from './ton-hashmap';
import { type FindInBlock, findProven, merkleProof } from './ton-merkle-proof';

/** A transaction by its place: an account has at most one at a logical time. */
export interface TonTransactionPlace {
  /** Raw address. */
  readonly account: string;
  readonly lt: bigint;
}

/** What a block says of a transaction. */
export interface TransactionInBlock {
  /** Of the network of the block. */
  readonly globalId: number;
  /** Of the block, in its shard. */
  readonly seqno: number;
  /** The transaction, whole. */
  readonly transaction: Cell;
}

const ACCOUNT_BLOCK = 5;
const TRANSACTION = 7;

/** The transaction of a block, by the tables `block_extra#4a33f6fd` and `acc_trans#5` of block.tlb. */
const transactionAt =
  ({ account, lt }: TonTransactionPlace): FindInBlock<TransactionInBlock> =>
  (block, open) => {
    const [workchain, id] = account.split(':') as [string, string];
    const opened = openBlock(block, open);
    if (opened.workchain !== Number(workchain)) return null;
    const extra = opened.openExtra();
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
    if (!isTransactionAt(transaction, { account, lt })) throw new Error('not the transaction of the account');
    return { globalId: opened.globalId, seqno: opened.seqno, transaction };
  };

/** Whether cells begin as the transaction at this place does. @throws for cells that end before it is known, or are pruned */
export function isTransactionAt(cell: Cell, { account, lt }: TonTransactionPlace): boolean {
  const head = cell.beginParse();
  return (
    head.loadUint(4) === TRANSACTION &&
    head.loadBuffer(32).toString('hex') === account.slice(account.indexOf(':') + 1) &&
    head.loadUintBig(64) === lt
  );
}

/**
 * A Merkle proof that a block has a transaction: the block with nothing but the way to the transaction, which is whole; null when
 * the block has none at this place.
 * @param block whole
 * @throws for cells that are no block
 */
export function proveTonTransaction(block: Cell, place: TonTransactionPlace): Cell | null {
  return merkleProof(block, transactionAt(place), ({ transaction }) => transaction);
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
  const found = findProven(proof, rootHash, transactionAt(place));
  // A cell with pruned branches has a level.
  return found?.transaction.level() === 0 ? found : null;
}
