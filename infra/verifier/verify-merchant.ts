import { feeEvents } from '../../contracts/events/fee';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { eventDigest, type LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import { merchantProof } from '../../contracts/ledger-tree/merchant-proof';
import { rootFromAuditPath } from '../../contracts/ledger-tree/merkle-tree';
import { checkCheckpoint, nameOf, readJson, type Keys } from './evidence';
import { positionOf } from './export-lines';
import { VerificationFailed } from './outcome';

export interface VerifiedMerchant {
  readonly merchantId: string;
  readonly events: number;
  /** Number of events of the checkpoint. */
  readonly size: number;
  readonly keyId: string;
}

/**
 * Verifies that events are in the ledger of a signed checkpoint, and are of the merchant.
 * @throws VerificationFailed
 */
export function verifyMerchant(
  file: string,
  { keys, checkpoints: held }: { readonly keys: Keys | null; readonly checkpoints: readonly Checkpoint[] },
): VerifiedMerchant {
  const parsed = merchantProof.safeParse(readJson(file));
  if (!parsed.success)
    throw new VerificationFailed('unusable', `${file}: not a proof of a merchant's events`);
  const { merchantId, billingPeriod, checkpoint, events } = parsed.data;
  if (!keys && held.length === 0)
    throw new VerificationFailed('unusable', 'use --keys, or --checkpoint with a checkpoint that you hold');
  checkCheckpoint(checkpoint, keys, null);
  const ofSameSize = held.filter(({ size }) => size === checkpoint.size);
  const isContradicted = ofSameSize.some(({ root }) => root !== checkpoint.root);
  if (isContradicted || (!keys && ofSameSize.length === 0))
    throw new VerificationFailed('altered', `the checkpoint you hold is not ${nameOf(checkpoint)}`);
  let last = -1;
  for (const { leafIndex, line, auditPath } of events) {
    const position = positionOf(Buffer.from(line)) ?? undefined;
    const location = position === undefined ? {} : { position };
    const hashes = auditPath.map(hash => Buffer.from(hash, 'hex'));
    const root = rootFromAuditPath(leafIndex, checkpoint.size, eventDigest(line), hashes);
    if (root?.toString('hex') !== checkpoint.root || leafIndex <= last)
      throw new VerificationFailed(
        'altered',
        `an event is not leaf ${leafIndex} of ${nameOf(checkpoint)}`,
        location,
      );
    last = leafIndex;
    const { data } = feeEvents.read(JSON.parse(line) as LedgerEvent);
    if (data.merchant_id !== merchantId || (billingPeriod !== null && data.billing_period !== billingPeriod))
      throw new VerificationFailed('wrong_answer', 'an event is of another merchant or month', location);
  }
  return { merchantId, events: events.length, size: checkpoint.size, keyId: checkpoint.keyId };
}
