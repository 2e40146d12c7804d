import { feeStream } from '../../../contracts/events/fee';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import type { EventsUpToHead } from '../../../projections/engine/catch-up';
import { feeFacts } from './fees';

const PAGE = 1_000;

/** An event store without storage: events of fees, generated as they are read. */
export function generatedFees(count: number): EventsUpToHead {
  return {
    head: async () => count - 1,
    async *readAll({ after = -1, categories } = {}) {
      if (categories && !categories.includes('fee')) return;
      for (let from = after + 1; from < count; from += PAGE)
        yield Array.from({ length: Math.min(PAGE, count - from) }, (_, i) => recorded(from + i));
    },
  };
}

function recorded(n: number): RecordedEvent {
  const facts = feeFacts(n);
  return {
    type: 'FeeRecorded',
    data: { ...facts, collection_status: n % 3 === 0 ? 'collected' : 'pending' },
    metadata: { v: 1 },
    id: String(n),
    stream: feeStream(facts.id),
    revision: 0,
    position: n,
    created: facts.created_at,
  };
}
