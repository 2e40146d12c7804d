import type { Cell } from '@ton/core';
import { proveInMasterchain, provenInMasterchain } from '../../../contracts/chain/ton-masterchain-proof';
import { proveTonTransaction, provenTonTransaction } from '../../../contracts/chain/ton-transaction-proof';
import type { Anchor, AnchorProof } from '../../../contracts/ledger-tree/anchor';
import type { TonBlockId, TonBlocks } from '../../../contracts/ports/ton-blocks';

type Transaction = Anchor['transaction'];
type BlockProof = Extract<AnchorProof, { level: 'block' }>;

/** What proofs of the place of a transaction are made from. */
export interface PlaceReads {
  readonly blocks: Pick<TonBlocks, 'block' | 'wayFromMasterchain'>;
  /** The block that has a transaction, as nodes say. */
  blockWith(transaction: Transaction): Promise<TonBlockId>;
  /** A block of the masterchain, as nodes say: blocks that only their source knows are not proven to. */
  masterchainBlock(seqno: number): Promise<TonBlockId | null>;
}

export interface PlaceProof {
  /** Null when the block was not to be had: then only the transaction itself is proven. */
  readonly proof: AnchorProof | null;
  /** Why the proof does not reach further; null when it reaches the masterchain. */
  readonly fault: unknown;
}

/** Proves the place of a transaction up to the masterchain, or as far as the blocks are to be had. Never rejects. */
export async function provePlace(reads: PlaceReads, transaction: Transaction): Promise<PlaceProof> {
  let proof: BlockProof | null = null;
  try {
    const id = await reads.blockWith(transaction);
    const block = await reads.blocks.block(id);
    proof = proveInBlock(block, id, transaction);
    return { proof: await proveFurther(reads, { id, block }, transaction, proof), fault: null };
  } catch (fault) {
    return { proof, fault };
  }
}

const boc = (cell: Cell): string => cell.toBoc().toString('base64');

/** @throws when the block does not have it */
function proveInBlock(block: Cell, { rootHash }: TonBlockId, transaction: Transaction): BlockProof {
  const place = { account: transaction.account, lt: BigInt(transaction.lt) };
  const proof = proveTonTransaction(block, place);
  const found = proof && provenTonTransaction(proof, Buffer.from(rootHash, 'hex'), place);
  if (found?.transaction.hash().toString('hex') !== transaction.hash)
    throw new Error(`the block ${rootHash} does not have the transaction`);
  return { level: 'block', block: { seqno: found.seqno, rootHash }, transactionProof: boc(proof!) };
}

/** @throws when no block of the masterchain is shown that stands for the block, and that the nodes have too */
async function proveFurther(
  { blocks, masterchainBlock }: PlaceReads,
  { id, block }: { readonly id: TonBlockId; readonly block: Cell },
  { account }: Transaction,
  proven: BlockProof,
): Promise<AnchorProof> {
  const way = await blocks.wayFromMasterchain(id);
  const { rootHash, seqno } = way.masterchain;
  const known = await masterchainBlock(seqno);
  // Before anything is read that a source has made up.
  if (known?.rootHash !== rootHash)
    throw new Error(`the nodes do not have the block of the masterchain ${rootHash}`);
  const masterchain = await blocks.block(known);
  const ofShard = new Map([[id.rootHash, block]]);
  for (const each of way.later) ofShard.set(each.rootHash, await blocks.block(each));
  const of = { account, rootHash: Buffer.from(id.rootHash, 'hex') };
  const proof = proveInMasterchain(masterchain, hash => ofShard.get(hash.toString('hex')) ?? null, of);
  const shown = proof && provenInMasterchain(proof, Buffer.from(rootHash, 'hex'), of);
  if (!shown) throw new Error(`the block of the masterchain ${rootHash} does not stand for ${id.rootHash}`);
  return {
    ...proven,
    level: 'masterchain',
    masterchain: { seqno: shown.seqno, rootHash },
    shardProof: boc(proof!.masterchain),
    previousProofs: proof!.previous.map(boc),
  };
}
