import { BILLING_SETTINGS } from './billing/settings';
import { billingCommands } from './billing/commands';
import { billingMetrics } from './billing/metrics';
import { READS, EXPORTS, WRITES, FEES } from '../../../contracts/http/billing/access';
import { randomUUID } from 'node:crypto';
import { createCalendar } from '../../../contracts/time/calendar';
import { networkName, type TonNetwork } from '../../../contracts/network/network';
import { BILLING_PROJECTIONS } from '../../../projections/billing/billing-projections';
import { solanaTransactions } from '../../../projections/solana/transactions/queries';
import { workEarnedFees } from '../../../services/billing/earned/worker';
import { unmatchedPaymentReaction } from '../../../services/billing/payments/unmatched/reaction';
import { workUnmatchedPayments } from '../../../services/billing/payments/unmatched/worker';
import { accountOf } from '../../../services/billing/payments/payment-method';
import { feePaymentReaction } from '../../../services/billing/payments/reaction';
import { workFeePayments } from '../../../services/billing/payments/worker';
import type { BillingDeps } from '../../../services/billing/deps';
import { MEBIBYTE } from '../../config/bytes';
import { MAX_EXPORT_MS, MAX_OPEN_EXPORTS } from '../../../services/billing/export/open-exports';
import { billingRoutes } from '../../../services/billing/routes';
import { jobsOfLog } from '../../../services/reactions/message-reaction';
import { openLedgerAsOf } from './billing/as-of/ledger';
import { MAX_QUEUED, MAX_QUEUED_PER_CALLER } from './billing/as-of/snapshot-builds';
import { personalTexts } from '../personal-texts';
import type { Feature, ProgramDeps, Resource } from '../feature';
import { watchOf } from './watch/account-watch';
import { ledgerTree } from './ledger-tree/ledger-tree';
import { networkMode, networkSetting } from '../../config/network-settings';
import { dataDirPrefix } from '../commands/reset-line';
import { jobHandlers } from '../roles/jobs';

/** Fees, invoices, settlements and rebates of the instance, their reports, and the ledger as of an earlier moment. */
export const billing: Feature = {
  name: 'billing',
  commands: billingCommands,
  settings: BILLING_SETTINGS,
  settingPrefixes: ['FEE_PAYMENT'],
  quotas: [READS, EXPORTS, WRITES, FEES],
  memory: [
    {
      of: 'exports of fees, with what was recorded since they began',
      max: MAX_OPEN_EXPORTS,
      bytesEach: 15 * MEBIBYTE,
    },
  ],
  bounds: [
    {
      of: 'snapshots of past states of the ledger, on disk',
      owner: 'all callers with a role of billing',
      max: '`AS_OF_FILES`, and `AS_OF_MEBIBYTES`',
      share: 'no share',
      beyond:
        'the least recently used of the caller who has read most of them is removed, and built again when somebody asks for it',
      attack: {
        file: 'infra/program/features/billing/as-of/as-of.test.ts',
        test: 'keeps what one caller reads while another reads any number of moments',
      },
    },
    {
      of: 'snapshots of past states of the ledger that are built, one after the other',
      owner: 'all callers with a role of billing',
      max: `${MAX_QUEUED} that wait while one is built`,
      share: `${MAX_QUEUED_PER_CALLER}; callers take turns, each with its oldest; what several wait for comes with the first turn`,
      beyond: '503 `not_ready` for the newest of the caller with most',
      attack: {
        file: 'infra/program/features/billing/as-of/build-queue.test.ts',
        test: 'builds that of a caller after one of each other, whose newest gives up its place for it',
      },
    },
    {
      of: 'exports of fees that a process sends at a time',
      owner: 'all callers with a role of billing',
      max: `${MAX_OPEN_EXPORTS}, each for ${MAX_EXPORT_MS / 60_000} minutes`,
      share: 'a quarter',
      beyond:
        '503 `not_ready`; a caller with fewer gets the place of the newest one of the caller with most, which ends',
      note: 'Each has up to 40,000 fees in memory that were recorded since it began, 15 MB.',
      attack: {
        file: 'services/billing/export/open-exports.test.ts',
        test: 'a caller whose clients read slowly has a share of the exports, and others export meanwhile',
      },
    },
  ],
  metrics: billingMetrics,
  checkSettings(config, context) {
    const { INSTANCE_CURRENCY } = config;
    const { FEE_PAYMENTS } = config.of(BILLING_SETTINGS);
    for (const [index, method] of FEE_PAYMENTS.entries()) {
      const { currency } = method;
      const account = accountOf(method);
      if (networkMode(config, account) === 'off')
        context.addIssue({
          code: 'custom',
          path: ['FEE_PAYMENTS', index, 'network'],
          message: `nobody sees payments on ${networkName(account)}, which is off (${networkSetting(account)}=off)`,
        });
      if (currency !== INSTANCE_CURRENCY)
        context.addIssue({
          code: 'custom',
          path: ['FEE_PAYMENTS', index, 'currency'],
          message: `fees are paid in INSTANCE_CURRENCY (${INSTANCE_CURRENCY}) only`,
        });
    }
  },
  firstCalls: (config, { url, token, isEmpty }) => [
    `Revenue, with a finance token of one hour${isEmpty ? ` (\`${dataDirPrefix(config)}npm run -s tidemark -- demo\` fills the ledger, which is empty)` : ''}:`,
    `  curl -s ${url}/api/instance-admin -H 'Content-Type: application/json' \\`,
    `    -H 'Authorization: Bearer ${token}' -d '{"action":"get_revenue"}'`,
  ],
  projections: BILLING_PROJECTIONS,
  routes: async deps => billingRoutes(await billingDeps(deps)),
  reactions({ config, engines }) {
    const { FEE_PAYMENTS: methods } = config.of(BILLING_SETTINGS);
    return methods.length === 0 ? [] : [feePaymentReaction(methods), unmatchedPaymentReaction(engines.store)];
  },
  reenqueue({ config, engines }) {
    const { FEE_PAYMENTS: methods } = config.of(BILLING_SETTINGS);
    if (methods.length === 0) return [];
    const reaction = feePaymentReaction(methods);
    return [{ name: reaction.name, jobs: () => jobsOfLog(engines.log, reaction) }];
  },
  workers: [
    jobHandlers('billing', deps => {
      const fees = feeDeps(deps);
      return [(signal: AbortSignal) => workEarnedFees(fees, signal), ...paymentHandlers(deps)];
    }),
  ],
};

/** What the commands and reads of billing work with. */
export async function billingDeps(deps: ProgramDeps): Promise<BillingDeps> {
  const { config, engines, engine, handle, clock } = deps;
  const settings = config.of(BILLING_SETTINGS);
  const { prover } = await deps.use(ledgerTree);
  return {
    store: engines.store,
    views: engine.views,
    texts: await deps.use(personalTexts),
    asOf: await deps.use(ledgerAsOf),
    prover,
    handle,
    calendar: createCalendar(config.INSTANCE_TIME_ZONE),
    currency: config.INSTANCE_CURRENCY,
    currencyScale: settings.CURRENCY_SCALE,
    instanceId: config.INSTANCE_ID,
    voidReasonRequired: settings.VOID_REASON_REQUIRED,
    now: () => clock().toISOString(),
    newId: randomUUID,
    waitMs: deps.readWait.waitMs,
    ...(settings.INVOICE_PART_BYTES !== undefined && { partBytes: settings.INVOICE_PART_BYTES }),
  };
}

const ledgerAsOf: Resource<Awaited<ReturnType<typeof openLedgerAsOf>>> = {
  open: ({ config, engines: { store }, logger, signal }) => openLedgerAsOf(config, { store, logger, signal }),
  close: asOf => asOf.close(),
};

const feeDeps = ({ config, engines, handle, clock, logger }: ProgramDeps) => ({
  store: engines.store,
  jobs: engines.jobs,
  logger,
  handle,
  calendar: createCalendar(config.INSTANCE_TIME_ZONE),
  instanceId: config.INSTANCE_ID,
  now: () => clock().toISOString(),
});

/** Fees collected by payments on chain. */
function paymentHandlers(deps: ProgramDeps) {
  const { config, engine, sources, metrics } = deps;
  const { FEE_PAYMENTS: paymentMethods } = config.of(BILLING_SETTINGS);
  if (paymentMethods.length === 0) return [];
  const payments = {
    ...feeDeps(deps),
    paymentMethods,
    views: engine.views,
    solana: solanaTransactions(engine.views),
    jettonWallet: (network: TonNetwork, master: string, owner: string) =>
      sources.clients.ton(network).getJettonWallet(master, owner),
    watch: watchOf(deps),
    onOutcome: (outcome: string) => metrics.of(billingMetrics).payments.inc({ outcome }),
  };
  return [
    (signal: AbortSignal) => workFeePayments(payments, signal),
    (signal: AbortSignal) => workUnmatchedPayments(payments, signal),
  ];
}
