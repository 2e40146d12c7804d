import type { AccountRef } from '../../../contracts/network';
import type { Jobs } from '../../../contracts/ports/jobs';
import {
  SOLANA_TRANSACTION_COLLECTIONS,
  type SolanaTransactions,
} from '../../../projections/solana/transactions/queries';
import type { Views } from '../../../projections/views';
import { carryOut, type CarryOutDeps } from './carry-out';
import { paymentJob, type Payment, type PaymentJob } from './payment';
import { accountOf } from './policy';
import { FEE_PAYMENTS } from './reaction';
import { solanaPayments } from './solana';

export interface FeePaymentDeps extends CarryOutDeps {
  readonly jobs: Pick<Jobs, 'work'>;
  readonly views: Pick<Views, 'changed'>;
  readonly solana: Pick<SolanaTransactions, 'inclusion'>;
  readonly watch: (account: AccountRef) => Promise<void>;
}

/** Has the addresses watched where fees are paid, and settles what arrives there, until the signal. */
export async function workFeePayments(deps: FeePaymentDeps, signal: AbortSignal): Promise<void> {
  for (const way of deps.ways) await deps.watch(accountOf(way));
  await deps.jobs.work({ queue: FEE_PAYMENTS, signal }, async ({ id, data }) => {
    for (const payment of await paymentsOf(deps, paymentJob.parse(data))) await carryOut(deps, payment, id);
  });
}

async function paymentsOf(deps: FeePaymentDeps, job: PaymentJob): Promise<readonly Payment[]> {
  if (job.chain === 'ton') return [job];
  const { network, address, blockhash } = job;
  const found = await finalInclusion(deps, job);
  // Another block than the one that was meant: it has a job of its own.
  return found.blockhash === blockhash ? solanaPayments(network, address, found.item) : [];
}

/** Milliseconds and looks for the projection to fold what this job was told of. */
const WAIT = 500;
const LOOKS = 20;

async function finalInclusion(
  { solana, views }: FeePaymentDeps,
  { network, address, signature }: Extract<PaymentJob, { chain: 'solana' }>,
) {
  for (let look = 1; look <= LOOKS; look++) {
    const mayBeThere = views.changed(SOLANA_TRANSACTION_COLLECTIONS, WAIT);
    const found = await solana.inclusion(network, address, signature);
    if (found?.finality === 'finalized') return found;
    await mayBeThere;
  }
  throw new Error(`transaction ${signature} has not reached the documents yet`);
}
