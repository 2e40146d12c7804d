import { randomUUID } from 'node:crypto';
import { feeEvents, feeStream, type FeeEvent, type FeeFacts } from '../../../contracts/events/fee';
import { invoiceEvents, invoiceStream, type InvoiceEvent } from '../../../contracts/events/invoice';
import { invoicePeriodEvents, invoicePeriodStream } from '../../../contracts/events/invoice-period';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { ADJUSTMENT, FACTS } from '../../../test/events/samples/fee';
import { createInvoiceLookup } from './invoiced-by';

const facts: FeeFacts = FACTS;
const recorded = (collection_status: 'pending' | 'collected'): FeeEvent => ({
  type: 'FeeRecorded',
  data: { ...facts, collection_status },
});
const reserved = {
  type: 'InvoicePeriodReserved',
  data: { invoiceId: 'i-1', billingPeriod: '2026-11' },
} as const;
const generated = (ledgerPosition: number): InvoiceEvent => ({
  type: 'InvoiceGenerated',
  data: {
    invoiceId: 'i-1',
    billingPeriod: '2026-11',
    currency: 'USD',
    timeZone: 'UTC',
    periodStart: '2026-11-01T00:00:00.000Z',
    periodEnd: '2026-12-01T00:00:00.000Z',
    ledgerPosition,
    feeCount: 1,
    totalFee: '1.50',
    totalGross: '100.00',
    replacesInvoiceId: null,
    lines: [],
    drafted: null,
    contentHash: 'aa',
    reversedBefore: { feeCount: 0, totalFee: '0.00' },
    at: '2026-12-01T09:00:00.000Z',
    by: 'ann',
  },
});
const voided: InvoiceEvent = {
  type: 'InvoiceVoided',
  data: {
    invoiceId: 'i-1',
    billingPeriod: '2026-11',
    at: '2026-12-01T09:00:00.000Z',
    by: 'ann',
    reason: null,
  },
};

/** The streams as commands leave them, including interrupted ones. */
async function holder(streams: {
  fee: readonly FeeEvent[];
  period?: readonly (typeof reserved)[];
  invoice?: readonly InvoiceEvent[];
}): Promise<string | null> {
  const store = new InMemoryEventStore();
  for (const event of streams.fee)
    await store.append(feeStream('f-1'), 'any', [feeEvents.write(event, randomUUID(), {})]);
  for (const event of streams.period ?? [])
    await store.append(invoicePeriodStream('local', '2026-11'), 'any', [
      invoicePeriodEvents.write(event, randomUUID(), {}),
    ]);
  for (const event of streams.invoice ?? [])
    await store.append(invoiceStream('i-1'), 'any', [invoiceEvents.write(event, randomUUID(), {})]);
  return createInvoiceLookup({ store, instanceId: 'local' })('f-1');
}

const collected = recorded('collected');
const reversed = (adjustment: typeof ADJUSTMENT | null): FeeEvent => ({
  type: 'FeeReversed',
  data: { ...facts, adjustment },
});
const collectedLater: FeeEvent[] = [recorded('pending'), { type: 'FeeCollected', data: facts }];
const period = [reserved];

describe('a live invoice includes a fee', () => {
  it.each([
    ['collected at its position', [collected], 0],
    ['collected before it', [collected], 7],
    ['recorded before and collected at it', collectedLater, 1],
    ['reversed in place after it', [collected, reversed(null)], 0],
    [
      'reversed by an adjustment before it, while on an earlier invoice',
      [collected, reversed(ADJUSTMENT)],
      7,
    ],
  ])('%s', async (_when, fee, position) => {
    expect(await holder({ fee, period, invoice: [generated(position)] })).toBe('i-1');
  });
});

describe('no live invoice includes a fee', () => {
  it('that was recorded before its position and collected after it', async () => {
    expect(await holder({ fee: collectedLater, period, invoice: [generated(0)] })).toBeNull();
  });
  it('that was never collected, or never recorded', async () => {
    expect(await holder({ fee: [recorded('pending')], period, invoice: [generated(7)] })).toBeNull();
    expect(await holder({ fee: [], period, invoice: [generated(7)] })).toBeNull();
  });
  it('that was reversed in place before its position', async () => {
    const fee = [collected, reversed(null)];
    expect(await holder({ fee, period, invoice: [generated(1)] })).toBeNull();
  });
  it('of a month without one', async () => {
    expect(await holder({ fee: [collected] })).toBeNull();
  });
  it('when it is void, also before the month is released', async () => {
    expect(await holder({ fee: [collected], period, invoice: [generated(7), voided] })).toBeNull();
  });
  it('when it has reserved its month but is not drafted yet', async () => {
    expect(await holder({ fee: [collected], period })).toBeNull();
  });
});
