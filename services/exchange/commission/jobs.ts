import { z } from 'zod';
import { EXCHANGE_ORDER_CATEGORY, exchangeOrderEvents } from '../../../contracts/events/exchange-order';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import type { Reaction } from '../../reactions/event-reaction';
import { ATTEMPTS_FOR_A_WEEK } from '../../../contracts/ports/jobs';

export const EXCHANGE_COMMISSIONS = 'exchange-commissions';

export const commissionJobData = z.object({ orderId: z.string() });

/** Starts a job for each order that is finished. */
export const exchangeCommissions: Reaction = {
  name: 'exchange-commissions',
  categories: [EXCHANGE_ORDER_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const { type, data } = exchangeOrderEvents.read(recorded);
    if (type !== 'ExchangeOrderStatusObserved' || data.to !== 'finished') return [];
    const { orderId } = data;
    return [{ queue: EXCHANGE_COMMISSIONS, id: orderId, data: { orderId }, attempts: ATTEMPTS_FOR_A_WEEK }];
  },
};

const PARTNER_NAMES = new Map([['changelly', 'Changelly']]);

/** The commissions of orders as billing wants to know them, with the partner as their merchant. */
export const exchangeEarnings = {
  name: 'exchange',
  categories: [EXCHANGE_ORDER_CATEGORY],
  earned(recorded: RecordedEvent) {
    const { type, data } = exchangeOrderEvents.read(recorded);
    if (type !== 'ExchangeCommissionEarned') return null;
    const { orderId, partner, feeAmount, grossAmount, at } = data;
    return {
      source: 'exchange' as const,
      reference: orderId,
      merchant: { id: partner, name: PARTNER_NAMES.get(partner) ?? partner, slug: partner },
      fee_type: 'swap' as const,
      fee_amount: feeAmount,
      gross_amount: grossAmount,
      earnedAt: at,
      status: 'pending' as const,
    };
  },
};
