import type { Logger } from 'pino';
import { applyPayment, type ApplyPaymentDeps, type PaymentOutcome } from './apply-payment';
import type { Payment } from './payment';

export interface ProcessPaymentDeps extends ApplyPaymentDeps {
  readonly logger: Logger;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
  readonly onOutcome: (outcome: PaymentOutcome) => void;
}

/** Applies a payment, and logs and counts the outcome. @param id of the job, the same for each attempt */
export async function processPayment(deps: ProcessPaymentDeps, payment: Payment, id: string): Promise<void> {
  const { memo, ...received } = payment;
  const commandId = `${id}/${payment.asset}`;
  const outcome = await applyPayment(deps, payment, { now: deps.now(), actor: 'fee-payments', commandId });
  deps.onOutcome(outcome);
  const level = outcome === 'collected' || outcome === 'already_collected' ? 'info' : 'warn';
  // A memo that matches no fee may hold personal text.
  const fee = outcome === 'fee_not_found' || outcome === 'wrong_asset' ? undefined : memo;
  deps.logger[level]({ payment: received, fee, outcome }, 'fee payment received');
}
