import type { Logger } from 'pino';
import type { Payment } from './payment';
import { settle, type PaymentOutcome, type SettleDeps } from './settle';

export interface CarryOutDeps extends SettleDeps {
  readonly logger: Logger;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
  readonly onSettled: (outcome: PaymentOutcome) => void;
}

/** Settles a payment and tells what became of it. @param id of what asks for it; the same when it is asked for again */
export async function carryOut(deps: CarryOutDeps, payment: Payment, id: string): Promise<void> {
  const { memo, ...arrived } = payment;
  const commandId = `${id}/${payment.asset}`;
  const outcome = await settle(deps, payment, { now: deps.now(), actor: 'fee-payments', commandId });
  deps.onSettled(outcome);
  const level = outcome === 'collected' || outcome === 'collected before' ? 'info' : 'warn';
  // A memo that names no fee may say anything, of anybody.
  const fee = outcome === 'no such fee' || outcome === 'wrong asset' ? undefined : memo;
  deps.logger[level]({ payment: arrived, fee, outcome }, 'a payment has arrived where fees are paid');
}
