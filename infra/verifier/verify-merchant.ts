import { feeEvents } from '../../contracts/events/fee';
import type { Checkpoint } from '../../contracts/seal/checkpoint';
import { leafDigest, type LedgerEvent } from '../../contracts/seal/ledger-line';
import { merchantProof } from '../../contracts/seal/merchant-proof';
import { rootByPath } from '../../contracts/seal/merkle';
import { checkCheckpoint, nameOf, readJson, type Keys } from './evidence';
import { positionOf } from './locate';
import { Failed } from './verdict';

export interface VerifiedMerchant {
  readonly merchantId: string;
  readonly events: number;
  /** Of the ledger that the checkpoint is of. */
  readonly size: number;
  readonly keyId: string;
}

/**
 * Verifies that events are in the ledger that a checkpoint was signed of, and are of the merchant.
 * @throws Failed
 */
export function verifyMerchant(
  file: string,
  { keys, held }: { readonly keys: Keys | null; readonly held: readonly Checkpoint[] },
): VerifiedMerchant {
  const parsed = merchantProof.safeParse(readJson(file));
  if (!parsed.success) throw new Failed('unusable', `${file}: not the proof of a merchant's events`);
  const { merchantId, billingPeriod, checkpoint, events } = parsed.data;
  if (!keys && held.length === 0)
    throw new Failed('unusable', 'without --keys or a --checkpoint that you hold nothing can be told of it');
  checkCheckpoint(checkpoint, keys, null);
  const other = held.find(({ size, root }) => size === checkpoint.size && root !== checkpoint.root);
  const same = held.some(({ size, root }) => size === checkpoint.size && root === checkpoint.root);
  if (other || (!keys && !same))
    throw new Failed('broken', `the checkpoint you hold is not ${nameOf(checkpoint)}`);
  let before = -1;
  for (const { leaf, line, path } of events) {
    const position = positionOf(Buffer.from(line)) ?? undefined;
    const place = position === undefined ? {} : { position };
    const hashes = path.map(hash => Buffer.from(hash, 'hex'));
    const root = rootByPath(leaf, checkpoint.size, leafDigest(line), hashes);
    if (root?.toString('hex') !== checkpoint.root || leaf <= before)
      throw new Failed('broken', `an event is not leaf ${leaf} of ${nameOf(checkpoint)}`, place);
    before = leaf;
    const { data } = feeEvents.read(JSON.parse(line) as LedgerEvent);
    if (data.merchant_id !== merchantId || (billingPeriod !== null && data.billing_period !== billingPeriod))
      throw new Failed('differs', 'an event is of another merchant or month', place);
  }
  return { merchantId, events: events.length, size: checkpoint.size, keyId: checkpoint.keyId };
}
