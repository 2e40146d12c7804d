import { unmatchedPaymentStream } from '../../../../contracts/events/unmatched-payment';
import type { Jobs } from '../../../../contracts/ports/jobs';
import { load } from '../../../commands/load';
import { processPayment, type ProcessPaymentDeps } from '../process-payment';
import { unmatchedPaymentKind } from './decider';
import { UNMATCHED_FEE_PAYMENTS, unmatchedPaymentJob } from './reaction';

export interface UnmatchedPaymentDeps extends ProcessPaymentDeps {
  readonly jobs: Pick<Jobs, 'work'>;
}

/** Applies payments that arrived before their fee was recorded, until the signal. */
export function workUnmatchedPayments(deps: UnmatchedPaymentDeps, signal: AbortSignal): Promise<void> {
  return deps.jobs.work({ queue: UNMATCHED_FEE_PAYMENTS, signal }, async ({ id, data }) => {
    const { fee } = unmatchedPaymentJob.parse(data);
    for (const payment of await load(deps.store, unmatchedPaymentKind, unmatchedPaymentStream(fee)))
      await processPayment(deps, { ...payment, memo: fee }, `${id}/${payment.transaction}`);
  });
}
