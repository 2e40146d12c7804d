import { refuse, type CommandMetadata, type Decider } from '../../../../contracts/decider';
import {
  unmatchedPaymentEvents,
  type UnmatchedPayment,
  type UnmatchedPaymentEvent,
} from '../../../../contracts/events/unmatched-payment';
import type { StreamKind } from '../../../commands/stream-kind';

interface RecordUnmatchedPayment {
  readonly type: 'record';
  readonly payment: UnmatchedPayment;
  readonly metadata: CommandMetadata;
}

/** For one memo. Dust can be sent with any memo, so the stream is bounded. */
export const MAX_UNMATCHED_PAYMENTS = 32;

/** Records each payment once. */
export const unmatchedPaymentDecider: Decider<
  readonly UnmatchedPayment[],
  RecordUnmatchedPayment,
  UnmatchedPaymentEvent
> = {
  initial: () => [],

  evolve: (recorded, { data }) => [...recorded, data],

  decide(recorded, { payment }) {
    const { account, transaction, asset, amount } = payment;
    const isRecorded = recorded.some(
      known => known.account === account && known.transaction === transaction && known.asset === asset,
    );
    if (isRecorded) return [];
    if (recorded.length >= MAX_UNMATCHED_PAYMENTS)
      return refuse(
        'too_many_unmatched_payments',
        'Too many payments have been recorded for a fee that does not exist.',
      );
    return [{ type: 'UnmatchedPaymentRecorded', data: { account, transaction, asset, amount } }];
  },
};

export const unmatchedPaymentKind: StreamKind<
  readonly UnmatchedPayment[],
  RecordUnmatchedPayment,
  UnmatchedPaymentEvent
> = {
  decider: unmatchedPaymentDecider,
  events: unmatchedPaymentEvents,
};
