import fc from 'fast-check';
import type { Document } from '../../contracts/ports/documents';
import { history } from '../../test/contracts/builders';
import { Crash, CrashingDocuments } from '../../test/doubles/documents';
import { InMemoryEventStore, StoredEvents } from '../../test/doubles/event-store';
import { ledger, type LedgerEvent } from '../../test/projections/ledger';
import { runs } from '../../test/random';
import { until } from '../../test/until';
import { physicalSpecs } from './generation';
import { MAX_LIVE_EVENTS, runEvents } from './run-events';

/** Doubles: nobody waits for what is folded. */
const order = { want() {}, satisfy() {}, isWanted: () => false, turn: async () => undefined };
const foldedHere = { advance() {}, end() {} };

async function emptyDocuments(): Promise<CrashingDocuments> {
  const documents = new CrashingDocuments();
  await documents.declare(physicalSpecs(ledger.collections, 1));
  return documents;
}

async function contents(documents: CrashingDocuments): Promise<readonly Document[]> {
  const pages = await Promise.all(
    ['accounts@1', 'days@1'].map(name => documents.find<Document>(name, { limit: 10_000 })),
  );
  return pages.flatMap(page => page.documents);
}

/** Runs until the checkpoint is at the last event, or until the crash. */
async function runToHead(documents: CrashingDocuments, stored: StoredEvents): Promise<void> {
  const stop = new AbortController();
  const store = new InMemoryEventStore(stored);
  const states: string[] = [];
  const running = runEvents(
    { store, documents, order, foldedHere, hooks: {} },
    ledger,
    1,
    stop.signal,
    state => states.push(state),
  );
  const head = await store.head();
  const reached = until(async () => {
    const checkpoint = await documents.checkpoint('ledger@1');
    return stop.signal.aborted || (checkpoint as { position: number } | null)?.position === head;
  });
  const crashed = running.catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
  await Promise.race([reached, crashed]);
  stop.abort();
  await Promise.all([reached, crashed]);
}

const event = fc
  .record({
    type: fc.constantFrom('Paid', 'Paid', 'Closed'),
    account: fc.nat(40).map(String),
    amount: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ type, account, amount }) => ({ type, data: { account, amount } }) as LedgerEvent);

it('folds each event once, live or behind, for any sizes of what comes and any crashes', async () => {
  const arrivals = fc.array(
    fc.record({
      // Some are more than a live batch.
      count: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 3 * MAX_LIVE_EVENTS })),
      crashAfter: fc.oneof(fc.constant(Infinity), fc.nat(60)),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const pool = fc.array(event, { minLength: 50, maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(pool, arrivals, async (pool, arrivals) => {
      const total = arrivals.reduce((sum, { count }) => sum + count, 0);
      const happened = history(
        ...Array.from({ length: total }, (_, n) => {
          const next = pool[(n * 7) % pool.length]!;
          return [`account-${next.data.account}`, next] as const;
        }),
      );
      const uninterrupted = await emptyDocuments();
      const all = new StoredEvents();
      all.record(...happened);
      await runToHead(uninterrupted, all);

      const documents = await emptyDocuments();
      const stored = new StoredEvents();
      for (const { count, crashAfter } of arrivals) {
        stored.record(...happened.slice(stored.all.length, stored.all.length + count));
        documents.crashAfter = crashAfter;
        await runToHead(documents, stored);
      }
      documents.crashAfter = Infinity;
      await runToHead(documents, stored);
      expect(await contents(documents)).toEqual(await contents(uninterrupted));
    }),
    runs(20),
  );
});

it('returns to the head after each time it fell behind', async () => {
  const documents = await emptyDocuments();
  const stored = new StoredEvents();
  const states: string[] = [];
  const stop = new AbortController();
  const store = new InMemoryEventStore(stored);
  const running = runEvents(
    { store, documents, order, foldedHere, hooks: {} },
    ledger,
    1,
    stop.signal,
    state => states.push(state),
  );
  const paid = history(
    ...Array.from({ length: 2 * MAX_LIVE_EVENTS + 1 }, (_, n): readonly [string, LedgerEvent] => [
      `account-${n}`,
      { type: 'Paid', data: { account: String(n), amount: 1 } },
    ]),
  );
  const folded = (count: number) =>
    until(async () => (await documents.get('days@1', 'all'))?.['events'] === count);
  await until(() => states.at(-1) === 'live');
  stored.record(...paid.slice(0, 2 * MAX_LIVE_EVENTS));
  await folded(2 * MAX_LIVE_EVENTS);
  await until(() => states.at(-1) === 'live');
  stored.record(...paid.slice(2 * MAX_LIVE_EVENTS));
  await folded(2 * MAX_LIVE_EVENTS + 1);
  expect(states).toEqual(['catching-up', 'live', 'catching-up', 'live']);
  stop.abort();
  await running;
});
