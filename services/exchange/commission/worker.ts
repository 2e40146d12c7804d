import type { Logger } from 'pino';
import { exchangeOrderStream } from '../../../contracts/events/exchange-order';
import { product } from '../../../contracts/money/money';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { ExchangePartner } from '../../../contracts/ports/exchange-partner';
import type { Jobs } from '../../../contracts/ports/jobs';
import type { Handle } from '../../commands/handle';
import { exchangeOrderKind } from '../order/decider';
import { loadOrder } from '../order/load-order';
import { commissionOf } from './commission';
import { commissionJobData, EXCHANGE_COMMISSIONS } from './jobs';
import { VALUE_DECIMALS, valueOf } from './valuation';

export interface CommissionDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
  readonly jobs: Pick<Jobs, 'work'>;
  /** @throws PartnerUnavailable where there is none */
  readonly partner: () => Promise<Pick<ExchangePartner, 'estimate'>>;
  /** Ticker of the currency that is worth as much as the instance's; null when none is known. */
  readonly valuationCurrency: string | null;
  readonly clock: () => Date;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Records what was earned with finished orders, until the signal. What the partner has not said yet, and what it does not value
 * now, is asked again later: nothing is estimated by ourselves.
 */
export function workCommissions(deps: CommissionDeps, signal: AbortSignal): Promise<void> {
  return deps.jobs.work({ queue: EXCHANGE_COMMISSIONS, signal }, job =>
    recordCommission(deps, commissionJobData.parse(job.data).orderId, job.signal),
  );
}

/** @throws when the commission is not known yet, or cannot be valued now */
async function recordCommission(
  { store, handle, partner, valuationCurrency, clock, logger }: CommissionDeps,
  orderId: string,
  signal: AbortSignal,
): Promise<void> {
  const order = await loadOrder(store, orderId);
  if (!order || order.isCommissionEarned || order.partnerStatus !== 'finished') return;
  const commission = commissionOf(order.progress);
  if (!commission) throw new Error(`the partner has not said yet what order ${orderId} has earned`);
  if (commission.rounded.length > 0)
    logger.warn({ orderId, members: commission.rounded }, 'amounts of the exchange partner were rounded');
  if (Number(commission.amount) === 0) return;
  if (valuationCurrency === null)
    throw new Error(
      'EXCHANGE_VALUATION_CURRENCY is not set: no currency is known to be worth the instance’s',
    );

  const { toCurrency: currency } = order;
  const pair = { from: currency, to: valuationCurrency };
  const grossAmount = await valueOf(await partner(), commission.payout, pair, signal);
  const outcome = await handle(exchangeOrderKind, exchangeOrderStream(orderId), {
    type: 'earnCommission',
    commission: commission.amount,
    currency,
    feeAmount: product(grossAmount, commission.rate, VALUE_DECIMALS),
    grossAmount,
    metadata: { now: clock().toISOString(), actor: 'exchange commissions' },
  });
  if (outcome.refusal) throw new Error(`order ${orderId}: ${outcome.refusal.detail}`);
}
