import { periodOf, type Day } from '../../../contracts/time/billing-period';
import { refuse, type CommandMetadata, type Decider, type Refusal } from '../../../contracts/decider';
import {
  adjustmentId,
  feeEvents,
  type Adjustment,
  type FeeEvent,
  type FeeFacts,
} from '../../../contracts/events/fee';
import { subtract, ZERO } from '../../../contracts/money/money';
import type { StreamKind } from '../../commands/stream-kind';

type CollectionStatus = 'pending' | 'collected' | 'waived' | 'reversed';

interface Fee {
  readonly facts: FeeFacts;
  /** The status it was recorded with. */
  readonly recordedAs: 'pending' | 'collected';
  readonly status: CollectionStatus;
}
export type FeeState = Fee | null;

/** Facts as a caller gives them: a name is null where it was omitted and none is set for the merchant. */
export interface GivenFacts extends Omit<FeeFacts, 'merchant_name' | 'merchant_slug'> {
  readonly merchant_name: string | null;
  readonly merchant_slug: string | null;
}

/** Fields that a caller may omit; a repeated request need not match them. */
export type OmittedField = 'created_at' | 'merchant_name' | 'merchant_slug';

export type FeeCommand = { readonly metadata: CommandMetadata } & (
  | {
      readonly type: 'record';
      readonly facts: GivenFacts;
      readonly status: 'pending' | 'collected';
      readonly omitted: readonly OmittedField[];
    }
  | { readonly type: 'collect' | 'waive'; readonly id: string }
  | {
      readonly type: 'reverse';
      readonly id: string;
      /** The invoice that is not void and has the fee in its lines. */
      readonly invoicedBy: string | null;
      /** Of the reversal, in the instance's time zone. */
      readonly day: Day;
    }
);

/** pending -> collected -> reversed, pending -> waived. Repeating a change has no effect. */
export const feeDecider: Decider<FeeState, FeeCommand, FeeEvent> = {
  initial: () => null,

  evolve(state, event) {
    if (event.type === 'FeeRecorded') {
      const { collection_status: status, ...facts } = event.data;
      return { facts, recordedAs: status, status };
    }
    return state && { ...state, status: STATUS_AFTER[event.type] };
  },

  decide(state, command) {
    if (command.type === 'record') return record(state, command);
    if (!state) return refuse('fee_not_found', `There is no fee ${command.id}.`);
    const { event, from } = TRANSITIONS[command.type];
    if (state.status === STATUS_AFTER[event]) return [];
    if (state.status !== from) {
      return refuse(`fee_not_${from}`, `Fee ${command.id} is ${state.status}, not ${from}.`, {
        id: command.id,
      });
    }
    if (command.type === 'reverse')
      return [
        { type: 'FeeReversed', data: { ...state.facts, adjustment: adjustment(state.facts, command) } },
      ];
    return [{ type: TRANSITIONS[command.type].event, data: state.facts }];
  },
};

export const feeKind: StreamKind<FeeState, FeeCommand, FeeEvent> = { decider: feeDecider, events: feeEvents };

const STATUS_AFTER = { FeeCollected: 'collected', FeeWaived: 'waived', FeeReversed: 'reversed' } as const;

const TRANSITIONS = {
  collect: { event: 'FeeCollected', from: 'pending' },
  waive: { event: 'FeeWaived', from: 'pending' },
  reverse: { event: 'FeeReversed', from: 'collected' },
} as const;

function record(state: FeeState, { facts, status, omitted }: Extract<FeeCommand, { type: 'record' }>) {
  if (!state) {
    const { merchant_id, merchant_name, merchant_slug } = facts;
    if (merchant_name === null || merchant_slug === null) return merchantNotFound(merchant_id);
    const data = { ...facts, merchant_name, merchant_slug, collection_status: status };
    return [{ type: 'FeeRecorded' as const, data }];
  }
  const ignored: readonly string[] = omitted;
  const differing = [
    ...COMPARED.filter(field => !ignored.includes(field) && state.facts[field] !== facts[field]),
    ...(state.recordedAs === status ? [] : ['collection_status']),
  ];
  if (differing.length === 0) return [];
  return refuse(
    'fee_exists',
    `Fee ${facts.id} was already recorded, with a different ${differing.join(', ')}.`,
    {
      id: facts.id,
      differing,
    },
  );
}

const merchantNotFound = (merchantId: string): Refusal =>
  refuse(
    'merchant_not_found',
    `No name is set for merchant ${merchantId} (names that came with fees do not count): send merchant_name and merchant_slug, or set them first.`,
    { merchantId },
  );

const COMPARED = [
  'fee_type',
  'fee_amount',
  'gross_amount',
  'merchant_id',
  'merchant_name',
  'merchant_slug',
  'created_at',
] as const;

/** An invoice does not change: the fee stays in its lines, and is reversed in the month of the reversal. */
function adjustment(
  facts: FeeFacts,
  { invoicedBy, day, metadata }: Extract<FeeCommand, { type: 'reverse' }>,
): Adjustment | null {
  if (invoicedBy === null) return null;
  return {
    ...facts,
    id: adjustmentId(facts.id),
    fee_amount: subtract(ZERO, facts.fee_amount),
    gross_amount: subtract(ZERO, facts.gross_amount),
    created_at: metadata.now,
    day,
    billing_period: periodOf(day),
    invoice_id: invoicedBy,
  };
}
