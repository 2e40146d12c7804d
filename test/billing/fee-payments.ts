import { pino } from 'pino';
import { createCalendar } from '../../contracts/time/calendar';
import { feeStream } from '../../contracts/events/fee';
import type { Engines } from '../../infra/engines/engines';
import { solanaTransactions } from '../../projections/solana/transactions/queries';
import type { Views } from '../../projections/views';
import { executeFees } from '../../services/billing/fee/commands';
import { feeKind } from '../../services/billing/fee/decider';
import { load } from '../../services/load';
import { unmatchedPaymentReaction } from '../../services/billing/payments/unmatched/reaction';
import { workUnmatchedPayments } from '../../services/billing/payments/unmatched/worker';
import { paymentMethod, type PaymentMethod } from '../../services/billing/payments/payment-method';
import { FEE_PAYMENTS, feePaymentReaction } from '../../services/billing/payments/reaction';
import type { PaymentOutcome, ApplyPaymentDeps } from '../../services/billing/payments/apply-payment';
import { workFeePayments } from '../../services/billing/payments/worker';
import { createHandle } from '../../services/handle';
import { jobsOfLog, runMessageReaction } from '../../services/reactions/message-reaction';
import { runReaction } from '../../services/reactions/event-reaction';
import { createWatch } from '../../services/watch/commands';
import { until } from '../until';

const logger = pino({ level: 'silent' });

/** Collection of fees by payments, on the engines of a test. */
export interface FeePayments {
  /** The outcomes of the payments, in order. */
  readonly outcomes: PaymentOutcome[];
  /** Records a pending fee. */
  owe(id: string, amount: string): Promise<void>;
  waive(id: string): Promise<void>;
  status(id: string): Promise<string | undefined>;
  /** The outcome of the next payment. */
  next(): Promise<PaymentOutcome>;
  stop(): Promise<void>;
}

export function startFeePayments(
  engines: Pick<Engines, 'store' | 'log' | 'documents' | 'jobs'>,
  views: Views,
  settings: readonly object[],
  jettonWallet: ApplyPaymentDeps['jettonWallet'] = () =>
    Promise.reject(new Error('unexpected payment in jettons')),
): FeePayments {
  const { store } = engines;
  const paymentMethods: PaymentMethod[] = settings.map(method =>
    paymentMethod.parse({ currency: 'USD', ...method }),
  );
  const outcomes: PaymentOutcome[] = [];
  let seen = 0;
  const stopped = new AbortController();
  const { signal } = stopped;
  const deps = {
    ...engines,
    views,
    paymentMethods,
    jettonWallet,
    logger,
    solana: solanaTransactions(views),
    handle: createHandle({ store }),
    calendar: createCalendar('UTC'),
    instanceId: 'local',
    now: () => new Date().toISOString(),
    watch: createWatch({ store, clock: () => new Date() }),
    onOutcome: (outcome: PaymentOutcome) => void outcomes.push(outcome),
  };
  const running = Promise.all([
    workFeePayments(deps, signal),
    workUnmatchedPayments(deps, signal),
    runReaction(deps, unmatchedPaymentReaction(store), signal),
    runMessageReaction(deps, feePaymentReaction(paymentMethods), signal),
  ]);

  return {
    outcomes,
    async owe(id, fee_amount) {
      const row = {
        id,
        fee_type: 'creation',
        fee_amount,
        gross_amount: '100.00',
        collection_status: 'pending' as const,
        merchant_id: 'm-1',
        merchant_name: 'Espresso & Co',
        merchant_slug: 'espresso',
      };
      const { results } = await executeFees(deps, [row], { now: deps.now(), actor: 'test' });
      expect(results).toEqual([{ id, result: 'recorded' }]);
    },
    async waive(id) {
      await executeFees(deps, [{ action: 'waive', id }], { now: deps.now(), actor: 'test' });
    },
    status: async id => (await load(store, feeKind, feeStream(id)))?.status,
    async next() {
      await until(() => outcomes.length > seen);
      return outcomes[seen++]!;
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

/** Enqueues the job of every message again, like a reaction that has lost its offsets. */
export async function deliverAgain(
  { log, jobs }: Pick<Engines, 'log' | 'jobs'>,
  settings: readonly object[],
): Promise<number> {
  const reaction = feePaymentReaction(
    settings.map(method => paymentMethod.parse({ currency: 'USD', ...method })),
  );
  let again = 0;
  for await (const job of jobsOfLog(log, reaction))
    if (await jobs.add({ ...job, id: `${job.id}/again` })) again++;
  expect((await jobs.failures(FEE_PAYMENTS, 10)).map(({ error }) => error)).toEqual([]);
  return again;
}
