import { z } from 'zod';
import { statement } from './statement';

export const hexDigest = z.string().regex(/^[0-9a-f]{64}$/);

/** What a history comes to, as it is told and signed. */
export const history = {
  /** How many events. */
  size: z.int().min(0),
  /** Of the last one; -1 when there is none. */
  position: z.int().min(-1),
  /** Of the chain, after the last event. */
  head: hexDigest,
  /** Of the Merkle tree over all events. */
  root: hexDigest,
};

export const signed = {
  /** Thumbprint (RFC 7638) of the key. */
  keyId: z.string(),
  /** Ed25519 (RFC 8032), in base64url. */
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
};

/** A signed statement of what the ledger of an instance was at a time: who holds one can tell when it was rewritten. */
export const checkpoint = z.object({
  version: z.literal(1),
  instance: z.string(),
  ...history,
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.string(),
  /**
   * Set where the events were copied from another store, which gives them other positions and times: what they came to
   * there. Checkpoints before this one are of that store.
   */
  moved: z.object(history).nullable(),
  ...signed,
});
export type Checkpoint = z.output<typeof checkpoint>;

export function checkpointStatement({
  version,
  instance,
  size,
  position,
  head,
  root,
  at,
  moved,
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
    moved,
    keyId,
  });
}
