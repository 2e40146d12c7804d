import { randomUUID } from 'node:crypto';
import { periodOf } from '../../../contracts/time/billing-period';
import { feeEvents, feeStream, type FeeEvent, type FeeFacts } from '../../../contracts/events/fee';
import type { EventStore, NewEvent } from '../../../contracts/ports/event-store';

const MERCHANTS = 100;
const TYPES = ['creation', 'processing'];
/** As of a large instance: the number of days determines that of the totals. */
const PER_DAY = 1_000;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
/** Concurrent appends. */
const BATCH = 200;

/** The n-th fee of a sequence with `perDay` fees a day. */
export function feeFacts(n: number, perDay = PER_DAY): FeeFacts {
  const created_at = new Date(FIRST_DAY + Math.floor((n * DAY_MS) / perDay)).toISOString();
  const day = created_at.slice(0, 10);
  const merchant = (n * 7) % MERCHANTS;
  return {
    id: `fee-${n}`,
    fee_type: TYPES[n % TYPES.length]!,
    fee_amount: `${(n % 900) + 1}.${String(n % 100).padStart(2, '0')}`,
    gross_amount: `${((n % 900) + 1) * 40}.00`,
    billing_period: periodOf(day),
    day,
    created_at,
    merchant_id: `merchant-${merchant}`,
    merchant_name: `Merchant No. ${merchant}`,
    merchant_slug: `merchant-${merchant}`,
  };
}

/** Of three fees, one is recorded as collected, one is collected later, one stays pending. */
function eventsOf(facts: FeeFacts, n: number): NewEvent[] {
  const recorded = {
    type: 'FeeRecorded',
    data: { ...facts, collection_status: n % 3 === 0 ? 'collected' : 'pending' },
  } as const;
  const events: FeeEvent[] = n % 3 === 1 ? [recorded, { type: 'FeeCollected', data: facts }] : [recorded];
  const metadata = { now: facts.created_at, actor: 'bench', commandId: randomUUID() };
  return events.map(event => feeEvents.write(event, randomUUID(), metadata));
}

/** Fills a store with fee events, in streams of one or two, as the service does. */
export async function fillFees(store: EventStore, events: number, perDay = PER_DAY): Promise<void> {
  const count = Math.round((events * 3) / 4);
  let appends: Promise<unknown>[] = [];
  for (let n = 0; n < count; n++) {
    const facts = feeFacts(n, perDay);
    appends.push(store.append(feeStream(facts.id), 'no_stream', eventsOf(facts, n)));
    if (appends.length < BATCH && n < count - 1) continue;
    await Promise.all(appends);
    appends = [];
  }
}
