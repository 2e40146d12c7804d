import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { feeEvents, feeStream, type FeeEvent, type FeeFacts } from '../../../../../contracts/events/fee';
import { AsOfNotReady, BeyondHead, type Moment } from '../../../../../projections/as-of/port';
import { FEE_LEDGER } from '../../../../../projections/billing/fee-ledger';
import { feesProjection } from '../../../../../projections/billing/fees';
import { allDocuments, allDocumentsAsOf } from '../../../../../test/billing/all-documents';
import { countingEventStore, type CountingEventStore } from '../../../../../test/doubles/event-store';
import { temporaryFolder } from '../../../../../test/temporary-folder';
import { until } from '../../../../../test/until';
import type { EventStore, RecordedEvent } from '../../../../../contracts/ports/event-store';
import { openAsOf, type AsOfOptions, type OpenAsOf } from './as-of';
import { inProcessBuilder } from './snapshot-builder';
import { runs } from '../../../../../test/random';

/** Between two positions, which are byte offsets in some stores. */
const GAP = 10;
/** Events of a history in which a moment is not found at once: its search waits in the queue. */
const LONG = 1_200;

let folder: string;
let open: { asOf: OpenAsOf; stop: AbortController }[];
beforeEach(() => {
  folder = temporaryFolder();
  open = [];
});
afterEach(async () => {
  for (const { asOf, stop } of open) {
    stop.abort(new Error('stopped'));
    await asOf.close();
  }
});

async function openOn(
  store: AsOfOptions['store'],
  options: Partial<AsOfOptions> = {},
): Promise<{ asOf: OpenAsOf; stop: AbortController }> {
  const stop = new AbortController();
  const { projections = [feesProjection] } = options;
  const asOf = await openAsOf({
    dataDir: folder,
    store,
    projections,
    builder: inProcessBuilder({ store, projections }),
    limits: { files: 4, bytes: 2 ** 30 },
    timeoutMs: 60_000,
    logger: pino({ level: 'silent' }),
    signal: stop.signal,
    ...options,
  });
  open.push({ asOf, stop });
  return { asOf, stop };
}

const facts = (n: number): FeeFacts => ({
  id: `fee-${n}`,
  fee_type: n % 2 ? 'swap' : 'creation',
  fee_amount: `${n}.25`,
  gross_amount: '100.00',
  billing_period: '2026-11',
  day: `2026-11-0${(n % 9) + 1}`,
  created_at: `2026-11-0${(n % 9) + 1}T00:00:00.000Z`,
  merchant_id: `m-${n % 3}`,
  merchant_name: 'Ann',
  merchant_slug: 'ann',
});

const record = (event: FeeEvent, nth: number, revision: number, line = ''): RecordedEvent => ({
  ...feeEvents.write(event, `${line}${nth}`, {}),
  metadata: { v: 1 },
  stream: feeStream(event.data.id),
  revision,
  position: (nth + 1) * GAP,
  created: new Date(Date.UTC(2026, 10, 20) + nth * 1_000).toISOString(),
});

/** A history of so many fees. */
const fees = (count: number, line = ''): CountingEventStore =>
  countingEventStore(
    Array.from({ length: count }, (_, n) =>
      record({ type: 'FeeRecorded', data: { ...facts(n), collection_status: 'pending' } }, n, 0, line),
    ),
  );

const count = (asOf: OpenAsOf, moment: Moment, caller?: string): Promise<number> =>
  asOf.read(
    moment,
    async views => (await allDocuments(views, [feesProjection]))[FEE_LEDGER.name]!.length,
    caller,
  );

const snapshots = (): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.sqlite'));

/** Blocks the reads of builds until `open`; short searches are not blocked. */
function gated(store: CountingEventStore): { store: AsOfOptions['store']; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>(resolve => (open = resolve));
  const readAll: EventStore['readAll'] = async function* (options) {
    for await (const page of store.readAll(options)) {
      if ((options?.limit ?? Infinity) === Infinity) await opened;
      yield page;
    }
  };
  const readStream: EventStore['readStream'] = (...query) => store.readStream(...query);
  return { store: { readAll, readStream, end: () => store.end() }, open };
}

it('equals a fold of the events up to any position and instant', async () => {
  const step = fc.record({
    fee: fc.nat(40),
    type: fc.constantFrom('FeeCollected', 'FeeWaived'),
  });
  const moments = fc.array(fc.oneof(fc.record({ at: fc.nat(90) }), fc.record({ nth: fc.nat(90) })), {
    minLength: 1,
    maxLength: 6,
  });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 80 }), moments, async (steps, requested) => {
      const revisions = new Map<number, number>();
      const events = steps.map(({ fee, type }, nth) => {
        const revision = (revisions.get(fee) ?? -1) + 1;
        revisions.set(fee, revision);
        const data = facts(fee);
        const event = (
          revision === 0
            ? { type: 'FeeRecorded', data: { ...data, collection_status: 'pending' } }
            : { type, data }
        ) as FeeEvent;
        return record(event, nth, revision, `${run}-`);
      });
      run++;
      const store = countingEventStore(events);
      const { asOf, stop } = await openOn(store);
      for (const moment of requested) {
        const wanted =
          'nth' in moment
            ? { instant: new Date(Date.UTC(2026, 10, 20) + moment.nth * 1_000 - 1).toISOString() }
            : { position: Math.min(moment.at * GAP + 3, events.at(-1)!.position) };
        const expected = events.filter(({ position, created }) =>
          'instant' in wanted ? created <= wanted.instant : position <= wanted.position,
        );
        const [found, position] = await asOf.read(
          wanted,
          async (views, at) => [await allDocuments(views, [feesProjection]), at] as const,
        );
        expect(found).toEqual(await folded(expected));
        expect(position).toBe('position' in wanted ? wanted.position : (expected.at(-1)?.position ?? -1));
      }
      stop.abort(new Error('next'));
      await asOf.close();
      open.length = 0;
    }),
    runs(4),
  );
});

let fresh = 0;

/** The documents of a fold from the first event. */
const folded = (events: readonly RecordedEvent[]): Promise<Record<string, unknown[]>> =>
  allDocumentsAsOf(
    countingEventStore(events),
    [feesProjection],
    Infinity,
    join(folder, `fresh-${fresh++}.db`),
  );

it('builds one snapshot for concurrent requests', async () => {
  const store = fees(LONG);
  const { asOf } = await openOn(store);
  const counts = await Promise.all(Array.from({ length: 20 }, () => count(asOf, { position: 1_100 * GAP })));
  expect(new Set(counts)).toEqual(new Set([1_100]));
  expect(snapshots()).toHaveLength(1);
});

it('continues from the nearest older snapshot, and leaves that one unchanged', async () => {
  const store = fees(3_000);
  const { asOf } = await openOn(store);
  expect(await count(asOf, { position: 2_900 * GAP })).toBe(2_900);
  const before = store.read;
  expect(await count(asOf, { position: 3_000 * GAP })).toBe(3_000);
  // Searched from a mark nearby, then folded from the snapshot on: the 2,900 are not read again.
  expect(store.read - before).toBeLessThan(1_000);
  expect(await count(asOf, { position: 2_900 * GAP })).toBe(2_900);
  expect(await count(asOf, { position: 100 * GAP })).toBe(100);
});

it('rejects a caller after the timeout, and has the snapshot ready for the next call', async () => {
  const { store, open: go } = gated(fees(LONG));
  const { asOf } = await openOn(store, { timeoutMs: 50 });
  const counting = count(asOf, { position: 1_100 * GAP });
  go();
  // It may be quick enough now that it is not blocked.
  await counting.catch((error: unknown) => expect(error).toBeInstanceOf(AsOfNotReady));
  await until(async () => (await count(asOf, { position: 1_100 * GAP }).catch(() => 0)) === 1_100);
});

describe('while a snapshot is being built', () => {
  const far = (n: number): Moment => ({ position: (1_100 + n) * GAP });
  const outcomes = (asOf: OpenAsOf, moments: number, callerOf: (n: number) => string) =>
    Promise.all(
      Array.from({ length: moments }, (_, n) =>
        asOf.read(far(n), async () => 'answered', callerOf(n)).catch(({ message }) => message as string),
      ),
    );
  const building = (found: readonly string[]): number =>
    found.filter(outcome => outcome === 'the snapshot is being built').length;

  it('rejects moments beyond the limit of the queue', async () => {
    const { store, open: go } = gated(fees(LONG));
    const { asOf } = await openOn(store, { timeoutMs: 200 });
    const found = await outcomes(asOf, 13, n => `caller ${n}`);
    expect(building(found)).toBe(9);
    expect(found.filter(outcome => outcome === 'too many snapshots are waiting to be built')).toHaveLength(4);
    go();
    await until(async () => (await count(asOf, far(12)).catch(() => 0)) === 1_112);
  });

  it('rejects a caller beyond its share, and has room for the others', async () => {
    const { store, open: go } = gated(fees(LONG));
    const { asOf } = await openOn(store, { timeoutMs: 200 });
    const [greedy, other] = await Promise.all([
      outcomes(asOf, 9, () => 'ann'),
      asOf.read(far(9), async () => 'answered', 'bob').catch(({ message }) => message as string),
    ]);
    expect(building(greedy)).toBe(2);
    expect(greedy.filter(outcome => outcome === '2 snapshots are being built for this caller')).toHaveLength(
      7,
    );
    expect(other).toBe('the snapshot is being built');
    go();
    await until(async () => (await count(asOf, far(9)).catch(() => 0)) === 1_109);
  });

  it('counts a moment that another caller waits for once', async () => {
    const { store, open: go } = gated(fees(LONG));
    const { asOf } = await openOn(store, { timeoutMs: 200 });
    await Promise.all([outcomes(asOf, 2, () => 'ann'), outcomes(asOf, 2, () => 'bob')]).then(found =>
      expect(found.map(building)).toEqual([2, 2]),
    );
    go();
    await until(async () => (await count(asOf, far(1)).catch(() => 0)) === 1_101);
  });
});

it('keeps the most recently used snapshots within the limit', async () => {
  const { asOf } = await openOn(fees(60), { limits: { files: 2, bytes: 2 ** 30 } });
  for (const n of [10, 20, 30, 20, 40, 20, 50]) expect(await count(asOf, { position: n * GAP })).toBe(n);
  await until(() => snapshots().length === 2);
  expect(
    snapshots()
      .map(name => /(\d+)-/.exec(name)![1])
      .sort(),
  ).toEqual(['200', '500']);
});

it('keeps what one caller reads while another reads any number of moments', async () => {
  const { asOf } = await openOn(fees(60), { limits: { files: 4, bytes: 2 ** 30 } });
  const both = [5, 10];
  for (const n of both) await count(asOf, { position: n * GAP }, 'honest');
  for (const n of [...both, 20, 21, 22, 23, 24, 25, 26]) await count(asOf, { position: n * GAP }, 'greedy');
  await until(() => snapshots().length === 4);
  expect(snapshots().map(name => /(\d+)-/.exec(name)![1])).toEqual(expect.arrayContaining(['50', '100']));
});

it('keeps only the last one when none fits the limit', async () => {
  const { asOf } = await openOn(fees(60), { limits: { files: 9, bytes: 1 } });
  for (const n of [10, 20, 30]) expect(await count(asOf, { position: n * GAP })).toBe(n);
  await until(() => snapshots().length === 1);
});

it('does not remove a snapshot while it is read', async () => {
  const { asOf } = await openOn(fees(60), { limits: { files: 1, bytes: 2 ** 30 } });
  await asOf.read({ position: 10 * GAP }, async views => {
    for (const n of [20, 30, 40]) await count(asOf, { position: n * GAP });
    expect((await allDocuments(views, [feesProjection]))[FEE_LEDGER.name]).toHaveLength(10);
  });
  await until(() => snapshots().length === 1);
});

it('finds its snapshots again after a restart', async () => {
  const first = await openOn(fees(2_000));
  await count(first.asOf, { position: 1_800 * GAP });
  await first.asOf.close();
  open = [];

  const store = fees(2_000);
  const { asOf } = await openOn(store);
  expect(await count(asOf, { position: 1_800 * GAP })).toBe(1_800);
  expect(store.read).toBeLessThan(10);
});

it('removes an incomplete snapshot of a killed program, and builds it again', async () => {
  const history = fees(300);
  const { asOf } = await openOn(history);
  await count(asOf, { position: 100 * GAP });
  const slow = gated(history);
  const second = await openOn(slow.store);
  const building = count(second.asOf, { position: 200 * GAP });
  await until(() => snapshots().length === 1 && readdirSync(join(folder, 'as-of', '2')).length > 0);
  // A copy of the folder as a kill at this point would leave it.
  const left = join(folder, 'left');
  cpSync(join(folder, 'as-of', '1'), join(left, 'as-of', '1'), { recursive: true });
  const [whole] = snapshots().filter(name => name.includes('1000-'));
  cpSync(join(folder, whole!), join(left, 'as-of', '1', '2000-incomplete.sqlite'));
  slow.open();
  await building;

  const { asOf: after } = await openOn(history, { dataDir: left });
  expect(readdirSync(join(left, 'as-of', '1')).filter(name => name.includes('incomplete'))).toEqual([]);
  expect(await count(after, { position: 200 * GAP })).toBe(200);
});

it('does not use snapshots of another history', async () => {
  const first = await openOn(fees(50));
  await count(first.asOf, { position: 40 * GAP });
  await first.asOf.close();
  open = [];

  const restored = countingEventStore();
  for await (const page of fees(30, 'other-').readAll()) restored.stored.record(...page);
  const { asOf } = await openOn(restored);
  expect(await count(asOf, { instant: '2026-12-31T00:00:00.000Z' })).toBe(30);
});

it('does not use snapshots of an older version of the projections', async () => {
  const first = await openOn(fees(50));
  await count(first.asOf, { position: 40 * GAP });
  await first.asOf.close();
  open = [];

  const newer = { ...feesProjection, version: feesProjection.version + 1 };
  const { asOf } = await openOn(fees(50), { projections: [newer] });
  expect(snapshots()).toEqual([]);
  expect(await count(asOf, { position: 40 * GAP })).toBe(40);
});

it('cancels the build when the program stops, and leaves no file', async () => {
  const { store, open: go } = gated(fees(3_000));
  const { asOf, stop } = await openOn(store);
  const counting = count(asOf, { position: 2_000 * GAP });
  const refused = expect(counting).rejects.toBeInstanceOf(AsOfNotReady);
  stop.abort(new Error('stopping'));
  go();
  await refused;
  await asOf.close();
  open = [];
  expect(snapshots()).toEqual([]);
});

it('rejects a position beyond the head', async () => {
  const { asOf } = await openOn(fees(3));
  await expect(asOf.read({ position: 31 }, async () => 1)).rejects.toBeInstanceOf(BeyondHead);
  expect(await count(asOf, { position: 30 })).toBe(3);
});
