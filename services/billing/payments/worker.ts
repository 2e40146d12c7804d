import type { Logger } from 'pino';
import type { AccountRef } from '../../../contracts/network/network';
import type { Jobs } from '../../../contracts/ports/jobs';
import { Problem } from '../../../contracts/problem/problem';
import { sleep } from '../../../contracts/retry/retry';
import { finalInclusion, type FinalInclusionDeps } from '../../solana-final-inclusion';
import { processPayment, type ProcessPaymentDeps } from './process-payment';
import { paymentJob, type Payment, type PaymentJob } from './payment';
import { accountOf } from './payment-method';
import { FEE_PAYMENTS } from './reaction';
import { solanaPayments } from './solana';

export interface PaymentWorkerDeps extends ProcessPaymentDeps, FinalInclusionDeps {
  readonly jobs: Pick<Jobs, 'work'>;
  readonly watch: (account: AccountRef) => Promise<unknown>;
  readonly logger: Logger;
  /** Milliseconds before an address is watched whose history is being removed; default 5,000. */
  readonly retryMs?: number;
}

/** The addresses are watched again so often, so that their watches do not expire. */
const REWATCH_MS = 3_600_000;

/** Watches the addresses of the payment methods and applies the payments to them, until the signal. */
export async function workFeePayments(deps: PaymentWorkerDeps, signal: AbortSignal): Promise<void> {
  const { paymentMethods, watch, jobs, logger, retryMs = 5_000 } = deps;
  const watchWhenReady = async (account: AccountRef): Promise<unknown> => {
    while (!signal.aborted)
      try {
        return await watch(account);
      } catch (error) {
        if (!(error instanceof Problem && error.code === 'not_ready')) throw error;
        logger.warn({ err: error, ...account }, 'address of fee payments cannot be watched yet, retrying');
        await sleep(retryMs, signal);
      }
    return null;
  };
  const watchAll = async (): Promise<void> => {
    for (const method of paymentMethods) await watchWhenReady(accountOf(method));
  };
  await watchAll();
  const renewal = setInterval(
    () =>
      void watchAll().catch((error: unknown) =>
        logger.warn({ err: error }, 'addresses of fee payments not watched again'),
      ),
    REWATCH_MS,
  );
  try {
    await jobs.work({ queue: FEE_PAYMENTS, signal }, async ({ id, data }) => {
      for (const payment of await paymentsOf(deps, paymentJob.parse(data)))
        await processPayment(deps, payment, id);
    });
  } finally {
    clearInterval(renewal);
  }
}

async function paymentsOf(deps: PaymentWorkerDeps, job: PaymentJob): Promise<readonly Payment[]> {
  if (job.chain === 'ton') return [job];
  const { network, address, signature, blockhash } = job;
  const found = await finalInclusion(deps, network, address, signature);
  // A transaction included in another block has another job.
  return found.blockhash === blockhash ? solanaPayments(network, address, found.item) : [];
}
