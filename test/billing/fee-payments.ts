import { feeStream } from '../../contracts/events/fee';
import type { ProgramDeps } from '../../infra/program/feature';
import { billing, billingDeps } from '../../infra/program/features/billing';
import { billingMetrics } from '../../infra/program/features/billing/metrics';
import { erasure } from '../../infra/program/features/erasure';
import { ledger } from '../../infra/program/features/ledger-tree';
import { executeFees } from '../../services/billing/fee/commands';
import { feeKind } from '../../services/billing/fee/decider';
import { FEE_PAYMENTS } from '../../services/billing/payments/reaction';
import { load } from '../../services/commands/load';
import { until } from '../until';

/** What a program collects fees with, beside the features of the networks. */
export function feePaymentFeatures(methods: readonly object[]) {
  return {
    features: [billing, ledger, erasure],
    settings: {
      AS_OF_IN_THREAD: 'false',
      FEE_PAYMENTS: JSON.stringify(methods.map(method => ({ currency: 'USD', ...method }))),
    },
  };
}

/** Collection of fees by payments, in a program of a test. */
export interface FeePayments {
  /** The outcomes of the payments, in order. */
  readonly outcomes: readonly string[];
  /** Records a pending fee. */
  owe(id: string, amount: string): Promise<void>;
  waive(id: string): Promise<void>;
  status(id: string): Promise<string | undefined>;
  /** The outcome of the next payment. */
  next(): Promise<string>;
}

export async function feePaymentsOf(deps: ProgramDeps): Promise<FeePayments> {
  const { store } = deps.engines;
  const counted = jest.spyOn(deps.metrics.of(billingMetrics).payments, 'inc');
  const outcomes = () =>
    counted.mock.calls.map(([labels]) => (labels as unknown as { readonly outcome: string }).outcome);
  let seen = 0;
  const commands = await billingDeps(deps);
  const metadata = () => ({ now: commands.now(), actor: 'test' });
  return {
    get outcomes() {
      return outcomes();
    },
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
      const { results } = await executeFees(commands, [row], metadata());
      expect(results).toEqual([{ id, result: 'recorded' }]);
    },
    async waive(id) {
      await executeFees(commands, [{ action: 'waive', id }], metadata());
    },
    status: async id => (await load(store, feeKind, feeStream(id)))?.status,
    async next() {
      await until(() => counted.mock.calls.length > seen);
      return outcomes()[seen++]!;
    },
  };
}

/** Enqueues the job of every message again, like a reaction that has lost its offsets. */
export async function deliverAgain(deps: ProgramDeps): Promise<number> {
  const { jobs } = deps.engines;
  let again = 0;
  for (const each of billing.reenqueue!(deps))
    for await (const job of each.jobs()) if (await jobs.add({ ...job, id: `${job.id}/again` })) again++;
  expect((await jobs.failures(FEE_PAYMENTS, 10)).map(({ error }) => error)).toEqual([]);
  return again;
}
