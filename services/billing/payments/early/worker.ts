import { z } from 'zod';
import { earlyPaymentStream } from '../../../../contracts/events/early-payment';
import type { Jobs } from '../../../../contracts/ports/jobs';
import { load } from '../../load';
import { carryOut, type CarryOutDeps } from '../carry-out';
import { earlyPaymentKind } from './decider';
import { EARLY_FEE_PAYMENTS } from './reaction';

const earlyPaymentJob = z.object({ fee: z.string() });
export type EarlyPaymentJob = z.output<typeof earlyPaymentJob>;

export interface EarlyPaymentDeps extends CarryOutDeps {
  readonly jobs: Pick<Jobs, 'work'>;
}

/** Settles what was paid for fees before they were recorded, until the signal. */
export function workEarlyPayments(deps: EarlyPaymentDeps, signal: AbortSignal): Promise<void> {
  return deps.jobs.work({ queue: EARLY_FEE_PAYMENTS, signal }, async ({ id, data }) => {
    const { fee } = earlyPaymentJob.parse(data);
    for (const noted of await load(deps.store, earlyPaymentKind, earlyPaymentStream(fee)))
      await carryOut(deps, { ...noted, memo: fee }, `${id}/${noted.transaction}`);
  });
}
