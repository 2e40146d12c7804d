import { z } from 'zod';
import { MAX_PREVIOUS } from '../chain/ton-masterchain-proof';
import { base64 } from '../encoding/base64';
import { TON_NETWORKS } from '../network/network';
import { checkpoint, hexDigest, type Checkpoint } from './checkpoint';

/** Of a file with an anchor; one with the longest proofs has a tenth of it. */
export const MAX_ANCHOR_BYTES = 2 ** 20;

/** A block of TON. */
const block = z.strictObject({
  /** In its shard, or of the masterchain. */
  seqno: z.int().min(0),
  /** Representation hash of its cell. */
  rootHash: hexDigest,
});

const inBlock = {
  /** Of workchain 0. */
  block,
  /** Merkle proof that the block has the transaction: a bag of cells. */
  transactionProof: base64,
};

/**
 * Up to what the place of the transaction is proven. Whether the network has the last of it is for the reader to compare: with what
 * others say of the network.
 */
export const anchorProof = z.discriminatedUnion('level', [
  /** To itself: a bag of cells. */
  z.strictObject({ level: z.literal('transaction'), transaction: base64 }),
  /** To a block of a shard. */
  z.strictObject({ level: z.literal('block'), ...inBlock }),
  /** To a block of the masterchain, whose signatures are not in the file. */
  z.strictObject({
    level: z.literal('masterchain'),
    ...inBlock,
    masterchain: block,
    /** Merkle proof of the block of the shard that it names. */
    shardProof: base64,
    /** Merkle proofs of the block before each, from the named block back to the one with the transaction. */
    previousProofs: z.array(base64).max(MAX_PREVIOUS),
  }),
]);
export type AnchorProof = z.output<typeof anchorProof>;

/** From the least to the most that is proven. */
export const ANCHOR_LEVELS = [
  'transaction',
  'block',
  'masterchain',
] as const satisfies readonly AnchorProof['level'][];

export function reaches({ level }: AnchorProof, wanted: AnchorProof['level']): boolean {
  return ANCHOR_LEVELS.indexOf(level) >= ANCHOR_LEVELS.indexOf(wanted);
}

/** Where a transaction is on TON. */
export const anchorTransaction = z.strictObject({
  /** Raw, of workchain 0. */
  account: z.string().regex(/^0:[0-9a-f]{64}$/, 'must be a raw address of workchain 0'),
  /** Logical time. */
  lt: z.string().regex(/^[1-9][0-9]{0,19}$/, 'must be a logical time'),
  hash: hexDigest,
});

/** That the head of a checkpoint stands in a transaction on TON: what `tidemark anchor export` writes. */
export const anchor = z.strictObject({
  version: z.literal(1),
  network: z.enum(TON_NETWORKS),
  checkpoint,
  transaction: anchorTransaction,
  proof: anchorProof,
});
export type Anchor = z.output<typeof anchor>;

/**
 * The comment of the message that anchors a tree head: what the tree commits to, and whose it is. At most 111 bytes, so that it is
 * whole in the first cell of a comment on TON.
 */
export function anchorComment({
  instance,
  size,
  root,
}: Pick<Checkpoint, 'instance' | 'size' | 'root'>): string {
  return `tidemark-head v1 ${instance} ${size} ${Buffer.from(root, 'hex').toString('base64')}`;
}
