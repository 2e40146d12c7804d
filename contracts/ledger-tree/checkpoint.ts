import { z } from 'zod';
import { base64urlOf } from '../encoding/base64';
import { statement } from './statement';

export const hexDigest = z.string().regex(/^[0-9a-f]{64}$/);

/** The members of a tree head (RFC 6962, section 3.5), and the head of the hash chain. */
export const treeHead = {
  /** Number of events. */
  size: z.int().min(0),
  /** Of the last event; -1 when there is none. */
  position: z.int().min(-1),
  /** Of the hash chain, after the last event. */
  head: hexDigest,
  /** Of the Merkle tree over all events. */
  root: hexDigest,
};

export const signatureFields = {
  /** Thumbprint (RFC 7638) of the key. */
  keyId: z.string(),
  /** Ed25519 (RFC 8032), in base64url. */
  signature: base64urlOf(64),
};

/** The signed tree head of an instance's ledger at some time. With it, a rewrite of earlier events can be detected. */
export const checkpoint = z.strictObject({
  version: z.literal(1),
  instance: z.string(),
  ...treeHead,
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.string(),
  /**
   * Set when the events were copied from another store, which gave them other positions and times: their tree head
   * there. Earlier checkpoints are of that store.
   */
  migratedFrom: z.strictObject(treeHead).nullable(),
  ...signatureFields,
});
export type Checkpoint = z.output<typeof checkpoint>;

/** The bytes that the signature of a checkpoint is over. */
export function checkpointStatement({
  version,
  instance,
  size,
  position,
  head,
  root,
  at,
  migratedFrom,
  keyId,
}: Omit<Checkpoint, 'signature'>): Buffer {
  return statement('tidemark-checkpoint-v1', {
    version,
    instance,
    size,
    position,
    head,
    root,
    at,
    migratedFrom,
    keyId,
  });
}
