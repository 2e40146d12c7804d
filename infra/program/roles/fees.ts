import { createCalendar } from '../../../contracts/calendar';
import { solanaTransactions } from '../../../projections/solana/transactions/queries';
import { workEarnedFees } from '../../../services/billing/earned/worker';
import { earlyPaymentReaction } from '../../../services/billing/payments/early/reaction';
import { workEarlyPayments } from '../../../services/billing/payments/early/worker';
import { feePaymentReaction } from '../../../services/billing/payments/reaction';
import { workFeePayments } from '../../../services/billing/payments/worker';
import { createHandle } from '../../../services/handle';
import { jobsOfLog, runMessageReaction } from '../../../services/reactions/message-reaction';
import { runReaction } from '../../../services/reactions/event-reaction';
import { recallJobs } from '../../../services/reactions/recall';
import { createWatch } from '../../../services/watch/commands';
import { jettonWallets } from '../jetton-wallet';
import type { RoleDeps } from './role';

/** The fees that come without anybody asking: earned by the wallet's own business, and collected by payments on chain. */
export function feeWork(deps: RoleDeps): (() => Promise<void>)[] {
  const { config, engines, engine, networks, metrics, logger, signal } = deps;
  const { store, log, documents, jobs } = engines;
  const clock = (): Date => new Date();
  const billing = {
    store,
    jobs,
    logger,
    handle: createHandle({ store }),
    calendar: createCalendar(config.INSTANCE_TIME_ZONE),
    instanceId: config.INSTANCE_ID,
    now: () => clock().toISOString(),
  };
  const earned = () => workEarnedFees(billing, signal);
  const ways = config.FEE_PAYMENTS;
  if (ways.length === 0) return [earned];

  const reaction = feePaymentReaction(ways);
  const payments = {
    ...billing,
    ways,
    views: engine.views,
    solana: solanaTransactions(engine.views),
    jettonWallet: jettonWallets(networks),
    watch: createWatch({ store, clock }),
    onSettled: (outcome: string) => metrics.feePayments.inc({ outcome }),
  };
  return [
    earned,
    () => workFeePayments(payments, signal),
    () => workEarlyPayments(payments, signal),
    () => runReaction({ store, documents, jobs, logger }, earlyPaymentReaction(store), signal),
    () => runMessageReaction({ log, documents, jobs, logger }, reaction, signal),
    () =>
      recallJobs(
        {
          name: reaction.name,
          jobs,
          all: () => jobsOfLog(log, reaction),
          onError: error => logger.error({ err: error }, 'payments of fees could not be looked at again'),
        },
        signal,
      ),
  ];
}
