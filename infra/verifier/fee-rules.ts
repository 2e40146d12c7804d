import {
  DAY_FORM,
  dayAfter,
  dayBefore,
  FIRST_DAY,
  isDay,
  LAST_DAY,
  periodOf,
} from '../../contracts/time/billing-period';
import {
  adjustmentId,
  feeStream,
  isAdjustmentId,
  type FeeEvent,
  type FeeFacts,
} from '../../contracts/events/fee';
import { INSTANT_FORM } from '../../contracts/time/instant';
import type { LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import { AMOUNT, subtract, ZERO } from '../../contracts/money/money';
import { DIGEST_BYTES, sha256Into } from '../../contracts/encoding/sha256';
import type { Status } from '../../projections/billing/totals';
import { formless, inconsistent, type FeeRule } from './outcome';

/** What is known of a fee after an event of its stream. */
export interface FeeState {
  readonly revision: number;
  readonly status: Status;
  /** Of the members that later events repeat. */
  readonly fingerprint: Fingerprint;
}

/** An event of a fee, as it was recorded. */
export type RecordedFeeEvent = FeeEvent & Pick<LedgerEvent, 'stream' | 'revision' | 'position'>;

/** By stream. */
export interface FeeStates {
  get(stream: string): FeeState | undefined;
  set(stream: string, state: FeeState): unknown;
}

/** The first 16 bytes of a SHA-256, in four words. */
export type Fingerprint = Uint32Array;

/**
 * The rules that the events of each fee keep: PROOFS.md, section 6, where each has its name. A writer that keeps to
 * `services/billing/fee` never breaks one, so a signed ledger in which one is broken was written falsely.
 */
export class FeeRules {
  /** @param isWhole whether all events of the streams are given; otherwise any of them may be left out */
  constructor(
    private readonly states: FeeStates,
    private readonly isWhole: boolean,
  ) {}

  /**
   * Of events in the order of the ledger.
   * @throws VerificationFailed `inconsistent` with the rule that the event breaks, or `unusable` when it has not the form of
   * its type
   */
  check(event: RecordedFeeEvent): void {
    const { stream, revision } = event;
    if (!hasForm(event)) throw formless(event);
    const before = this.states.get(stream);
    const members = fingerprintOf(event.data);
    const rule = this.#brokenRule(event, before, members);
    if (rule) throw inconsistent(event, rule, 'fees');
    this.states.set(stream, { revision, status: statusAfter(event), fingerprint: members });
  }

  #brokenRule(event: RecordedFeeEvent, before: FeeState | undefined, members: Fingerprint): FeeRule | null {
    const { data, stream, revision } = event;
    if (stream !== feeStream(data.id) || isAdjustmentId(data.id)) return 'stream';
    if (data.billing_period !== periodOf(data.day)) return 'period';
    const next = before ? before.revision + 1 : 0;
    if (this.isWhole ? revision !== next : revision < next) return 'revision';
    const from = STATUS_BEFORE[event.type];
    // Where events are left out, only that a fee is recorded first is known.
    const isKnown = revision === next;
    if (isKnown ? before?.status !== from : from === undefined) return 'transition';
    if (before && !isSame(before.fingerprint, members)) return 'members';
    if (event.type === 'FeeReversed' && !isAdjusted(event.data)) return 'adjustment';
    const adjustment = event.type === 'FeeReversed' ? event.data.adjustment : null;
    return isOfDay(data) && (adjustment === null || isOfDay(adjustment)) ? null : 'day';
  }
}

const STATUS_BEFORE = {
  FeeRecorded: undefined,
  FeeCollected: 'pending',
  FeeWaived: 'pending',
  FeeReversed: 'collected',
} as const;

function statusAfter(event: FeeEvent): Status {
  switch (event.type) {
    case 'FeeRecorded':
      return event.data.collection_status;
    case 'FeeCollected':
      return 'collected';
    case 'FeeWaived':
      return 'waived';
    case 'FeeReversed':
      return 'reversed';
  }
}

/** The adjustment is dated by itself; all else follows from the fee. */
function isAdjusted({ adjustment, ...fee }: Extract<FeeEvent, { type: 'FeeReversed' }>['data']): boolean {
  return (
    adjustment === null ||
    (adjustment.id === adjustmentId(fee.id) &&
      adjustment.fee_amount === subtract(ZERO, fee.fee_amount) &&
      adjustment.gross_amount === subtract(ZERO, fee.gross_amount) &&
      adjustment.billing_period === periodOf(adjustment.day) &&
      OF_FEE.every(member => adjustment[member] === fee[member]))
  );
}

/** In no time zone is it another day than that, the one before or the next one; lists rely on it. */
function isOfDay({ day, created_at }: FeeFacts): boolean {
  const created = created_at.slice(0, 10);
  if (!isDay(day) || !isDay(created)) return false;
  return day === created || day === dayAfter(created) || day === dayBefore(created);
}

const OF_FEE = ['fee_type', 'merchant_id', 'merchant_name', 'merchant_slug'] as const;

const MEMBERS = [
  'id',
  'fee_type',
  'fee_amount',
  'gross_amount',
  'billing_period',
  'day',
  'created_at',
  'merchant_id',
  'merchant_name',
  'merchant_slug',
] as const satisfies readonly (keyof FeeFacts)[];

function hasForm(event: FeeEvent): boolean {
  if (!hasFacts(event.data)) return false;
  if (event.type === 'FeeReversed') return event.data.adjustment === null || hasFacts(event.data.adjustment);
  return event.type !== 'FeeRecorded' || STATUSES_RECORDED.includes(event.data.collection_status);
}

const STATUSES_RECORDED = ['pending', 'collected'];

/** Stored data is not validated when it is read. */
function hasFacts(facts: FeeFacts | undefined): boolean {
  return (
    facts !== undefined &&
    MEMBERS.every(member => typeof facts[member] === 'string') &&
    AMOUNT.test(facts.fee_amount) &&
    AMOUNT.test(facts.gross_amount) &&
    DAY_FORM.test(facts.day) &&
    facts.day >= FIRST_DAY &&
    facts.day <= LAST_DAY &&
    INSTANT_FORM.test(facts.created_at)
  );
}

/** Each with its length, so that no two lists of members are one text. */
function fingerprintOf(facts: FeeFacts): Fingerprint {
  let text = '';
  for (const member of MEMBERS) text += `${facts[member].length}:${facts[member]}`;
  return fingerprint(text);
}

const digest = new Uint32Array(DIGEST_BYTES / Uint32Array.BYTES_PER_ELEMENT);
const digestBytes = Buffer.from(digest.buffer);

export function fingerprint(text: string): Fingerprint {
  sha256Into(digestBytes, 0, text);
  return digest.slice(0, FINGERPRINT_WORDS);
}

export const FINGERPRINT_WORDS = 4;

function isSame(one: Fingerprint, other: Fingerprint): boolean {
  return one.every((word, n) => word === other[n]);
}
