import { randomUUID } from 'node:crypto';
import type { EventStore } from '../../contracts/ports/event-store';
import type { EarnedFee } from '../../services/billing/earned/earned-fee';
import type { EarningSource } from '../../services/billing/earned/reaction';

/** Stands in for the exchange, whose orders earn a commission when they are finished. */
export const exchangeDouble: EarningSource = {
  name: 'exchange-double',
  categories: ['exchangeDouble'],
  earned: ({ type, data }) => (type === 'OrderFinished' ? (data['earned'] as unknown as EarnedFee) : null),
};

/** Lets an order begin and finish. */
export async function finishOrder(
  store: EventStore,
  reference: string,
  changed: Partial<EarnedFee> = {},
): Promise<void> {
  const earned: EarnedFee = {
    source: 'exchange',
    reference,
    merchant: { id: 'm-7', name: 'Partner & Co', slug: 'partner' },
    fee_type: 'swap',
    fee_amount: '0.50',
    gross_amount: '100.00',
    earnedAt: '2026-11-20T12:00:00.000Z',
    status: 'pending',
    ...changed,
  };
  await store.append(`exchangeDouble-${randomUUID()}`, 'no_stream', [
    { id: randomUUID(), type: 'OrderBegun', data: {}, metadata: { v: 1 } },
    { id: randomUUID(), type: 'OrderFinished', data: { earned }, metadata: { v: 1 } },
  ]);
}
