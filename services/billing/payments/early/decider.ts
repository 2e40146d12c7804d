import { refuse, type CommandMetadata, type Decider } from '../../../../contracts/decider';
import {
  earlyPaymentEvents,
  type EarlyPayment,
  type EarlyPaymentEvent,
} from '../../../../contracts/events/early-payment';
import type { StreamKind } from '../../../handle';

interface NoteEarlyPayment {
  readonly type: 'note';
  readonly payment: EarlyPayment;
  readonly metadata: CommandMetadata;
}

/** Payments that are noted for one fee. Anybody can send dust with any memo: no stream grows beyond what is read at once. */
export const MOST_EARLY_PAYMENTS = 32;

/** A payment is noted once, however often it is told of. */
export const earlyPaymentDecider: Decider<readonly EarlyPayment[], NoteEarlyPayment, EarlyPaymentEvent> = {
  initial: () => [],

  evolve: (noted, { data }) => [...noted, data],

  decide(noted, { payment }) {
    const { account, transaction, asset, amount } = payment;
    const isNoted = noted.some(
      known => known.account === account && known.transaction === transaction && known.asset === asset,
    );
    if (isNoted) return [];
    if (noted.length >= MOST_EARLY_PAYMENTS)
      return refuse(
        409,
        'too_many_early_payments',
        'Too many payments were made for a fee that there is not.',
      );
    return [{ type: 'EarlyPaymentNoted', data: { account, transaction, asset, amount } }];
  },
};

export const earlyPaymentKind: StreamKind<readonly EarlyPayment[], NoteEarlyPayment, EarlyPaymentEvent> = {
  decider: earlyPaymentDecider,
  events: earlyPaymentEvents,
};
