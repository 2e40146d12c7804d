import { FEE_CATEGORY, feeEvents } from '../../contracts/events/fee';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { eventDigest } from '../../contracts/ledger-tree/ledger-line';
import { merchantProof } from '../../contracts/ledger-tree/merchant-proof';
import { rootFromAuditPath } from '../../contracts/ledger-tree/merkle-tree';
import { sameTreeHead } from '../../contracts/ledger-tree/tree-head';
import { checkCheckpoint, checkForm, nameOf, readJson, type Compared, type Keys } from './evidence';
import { eventInLine } from './event-line';
import { positionOf } from './export-lines';
import { FeeRules, type RecordedFeeEvent } from './fee-rules';
import { VerificationFailed, type Location } from './outcome';

export interface VerifiedMerchant {
  readonly merchantId: string;
  /** Null: all months. */
  readonly billingPeriod: string | null;
  readonly events: number;
  /** Number of events of the checkpoint. */
  readonly size: number;
  readonly compared: readonly Compared[];
}

/**
 * Verifies that events are in the ledger of a signed checkpoint, are of the merchant, and keep the rules of fees as far as
 * the file has the events that they speak of. A checkpoint of another number of events cannot be compared, and is refused.
 * @throws VerificationFailed
 */
export function verifyMerchant(
  file: string,
  { keys, checkpoints: held }: { readonly keys: Keys | null; readonly checkpoints: readonly Checkpoint[] },
): VerifiedMerchant {
  const proof = checkForm(merchantProof, readJson(file), file, "a proof of a merchant's events");
  const { merchantId, billingPeriod, checkpoint, events } = proof;
  if (!keys && held.length === 0)
    throw new VerificationFailed('unusable', 'use --keys, or --checkpoint with a checkpoint that you hold');
  const compared = [checkpoint, ...held].map(each => {
    const isChecked = checkCheckpoint(each, keys, null);
    compareCheckpoints(checkpoint, each);
    return { name: nameOf(each), signedBy: isChecked ? each.keyId : null };
  });
  const rules = new FeeRules(new Map(), false);
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
    const event = feeIn(line, location);
    const { data } = event;
    if (data.merchant_id !== merchantId || (billingPeriod !== null && data.billing_period !== billingPeriod))
      throw new VerificationFailed('wrong_answer', 'an event is of another merchant or month', location);
    rules.check(event);
  }
  return { merchantId, billingPeriod, events: events.length, size: checkpoint.size, compared };
}

function compareCheckpoints(own: Checkpoint, held: Checkpoint): void {
  const [name, heldName] = [nameOf(own), nameOf(held)];
  if (held.instance !== own.instance)
    throw new VerificationFailed('unusable', `${heldName} is of another instance: ${held.instance}`);
  if (held.size !== own.size)
    throw new VerificationFailed(
      'unusable',
      `${heldName} cannot be compared with ${name} of the proof: give one of as many events, or verify an export with it`,
    );
  if (!sameTreeHead(own, held) || own.position !== held.position)
    throw new VerificationFailed('altered', `${heldName}, which you hold, is not ${name} of the proof`);
}

/** @throws VerificationFailed when the line is not the canonical form of an event of a fee */
function feeIn(line: string, location: Location): RecordedFeeEvent {
  const event = eventInLine(Buffer.from(line));
  if (!event?.stream.startsWith(`${FEE_CATEGORY}-`))
    throw new VerificationFailed('wrong_answer', 'an event is not one of a fee', location);
  try {
    return feeEvents.read(event);
  } catch (error) {
    throw new VerificationFailed(
      'unusable',
      `an event is unknown to this program: ${String(error)}`,
      location,
    );
  }
}
