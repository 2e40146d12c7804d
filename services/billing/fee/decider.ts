import { refuse, type CommandMetadata, type Decider } from '../../../contracts/decider';
import { feeEvents, type FeeEvent, type FeeFacts } from '../../../contracts/events/fee';
import type { StreamKind } from '../../handle';

type CollectionStatus = 'pending' | 'collected' | 'waived' | 'reversed';

interface Fee {
  readonly facts: FeeFacts;
  /** The status it was recorded with. */
  readonly recordedAs: 'pending' | 'collected';
  readonly status: CollectionStatus;
}
export type FeeState = Fee | null;

export type FeeCommand = { readonly metadata: CommandMetadata } & (
  | {
      readonly type: 'record';
      readonly facts: FeeFacts;
      readonly status: 'pending' | 'collected';
      /** The caller left `created_at` to us, so that it is no part of what a repetition must repeat. */
      readonly undated: boolean;
    }
  | { readonly type: 'collect' | 'waive' | 'reverse'; readonly id: string }
);

/** pending -> collected -> reversed, pending -> waived. Being asked again for what is already so changes nothing. */
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
    if (!state) return refuse(404, 'fee_not_found', `There is no fee ${command.id}.`);
    const { event, from } = TRANSITIONS[command.type];
    if (state.status === STATUS_AFTER[event]) return [];
    if (state.status !== from) {
      return refuse(409, `fee_not_${from}`, `Fee ${command.id} is ${state.status}, not ${from}.`, {
        id: command.id,
      });
    }
    return [{ type: event, data: state.facts }];
  },
};

export const feeKind: StreamKind<FeeState, FeeCommand, FeeEvent> = { decider: feeDecider, events: feeEvents };

const STATUS_AFTER = { FeeCollected: 'collected', FeeWaived: 'waived', FeeReversed: 'reversed' } as const;

const TRANSITIONS = {
  collect: { event: 'FeeCollected', from: 'pending' },
  waive: { event: 'FeeWaived', from: 'pending' },
  reverse: { event: 'FeeReversed', from: 'collected' },
} as const;

function record(state: FeeState, { facts, status, undated }: Extract<FeeCommand, { type: 'record' }>) {
  if (!state) return [{ type: 'FeeRecorded' as const, data: { ...facts, collection_status: status } }];
  const differing = [
    ...COMPARED.filter(field => state.facts[field] !== facts[field]),
    ...(undated || state.facts.created_at === facts.created_at ? [] : ['created_at']),
    ...(state.recordedAs === status ? [] : ['collection_status']),
  ];
  if (differing.length === 0) return [];
  return refuse(
    409,
    'fee_exists',
    `Fee ${facts.id} was recorded before with another ${differing.join(', ')}.`,
    { id: facts.id, differing },
  );
}

const COMPARED = [
  'fee_type',
  'fee_amount',
  'gross_amount',
  'merchant_id',
  'merchant_name',
  'merchant_slug',
] as const;
