import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { feeEvents, feeStream, type FeeEvent, type FeeFacts } from '../../../contracts/events/fee';
import { AsOfNotReady, BeyondHead, type Moment } from '../../../projections/as-of/port';
import { FEE_LEDGER } from '../../../projections/billing/fee-ledger';
import { feesProjection } from '../../../projections/billing/fees';
import { everything, everythingFoldedAnew } from '../../../test/billing/everything';
import { historyDouble, type HistoryDouble } from '../../../test/doubles/history';
import { until } from '../../../test/until';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import { openAsOf, type AsOfOptions, type OpenAsOf } from './as-of';
import { foldHere } from './folding';

/** Between two positions, as a store of bytes has them. */
const GAP = 10;

let folder: string;
let open: { asOf: OpenAsOf; stop: AbortController }[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-as-of-'));
  open = [];
});
afterEach(async () => {
  for (const { asOf, stop } of open) {
    stop.abort(new Error('stopped'));
    await asOf.close();
  }
  rmSync(folder, { recursive: true });
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
    folding: foldHere({ store, projections }),
    limits: { files: 4, bytes: 2 ** 30 },
    patience: 20_000,
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

/** So many fees, one after the other. */
const fees = (count: number, line = ''): HistoryDouble =>
  historyDouble(
    Array.from({ length: count }, (_, n) =>
      record({ type: 'FeeRecorded', data: { ...facts(n), collection_status: 'pending' } }, n, 0, line),
    ),
  );

const count = (asOf: OpenAsOf, moment: Moment): Promise<number> =>
  asOf.read(moment, async views => (await everything(views, [feesProjection]))[FEE_LEDGER.name]!.length);

const snapshots = (): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.sqlite'));

/** Holds back whatever is read to build with, until it is opened; short searches go on. */
function gated(store: HistoryDouble): { store: HistoryDouble; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>(resolve => (open = resolve));
  const readAll: HistoryDouble['readAll'] = async function* (options) {
    for await (const page of store.readAll(options)) {
      if ((options?.limit ?? Infinity) === Infinity) await opened;
      yield page;
    }
  };
  return { store: { ...store, readAll }, open };
}

it('answers as of any position and instant what a fold of the events up to it comes to', async () => {
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
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 80 }), moments, async (steps, asked) => {
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
      const store = historyDouble(events);
      const { asOf, stop } = await openOn(store);
      for (const moment of asked) {
        const wanted =
          'nth' in moment
            ? { instant: new Date(Date.UTC(2026, 10, 20) + moment.nth * 1_000 - 1).toISOString() }
            : { position: Math.min(moment.at * GAP + 3, events.at(-1)!.position) };
        const expected = events.filter(({ position, created }) =>
          'instant' in wanted ? created <= wanted.instant : position <= wanted.position,
        );
        const [found, position] = await asOf.read(
          wanted,
          async (views, at) => [await everything(views, [feesProjection]), at] as const,
        );
        expect(found).toEqual(await folded(expected));
        expect(position).toBe('position' in wanted ? wanted.position : (expected.at(-1)?.position ?? -1));
      }
      stop.abort(new Error('next'));
      await asOf.close();
      open.length = 0;
    }),
    { numRuns: 25 },
  );
}, 120_000);

let fresh = 0;

/** What folding the events from the first comes to. */
const folded = (events: readonly RecordedEvent[]): Promise<Record<string, unknown[]>> =>
  everythingFoldedAnew(
    historyDouble(events),
    [feesProjection],
    Infinity,
    join(folder, `fresh-${fresh++}.db`),
  );

it('builds a snapshot once for all who ask for it at the same time', async () => {
  const store = fees(2_000);
  const { asOf } = await openOn(store);
  const counts = await Promise.all(Array.from({ length: 20 }, () => count(asOf, { position: 1_500 * GAP })));
  expect(new Set(counts)).toEqual(new Set([1_500]));
  expect(snapshots()).toHaveLength(1);
});

it('goes on from the nearest older snapshot, and leaves that one as it was', async () => {
  const store = fees(3_000);
  const { asOf } = await openOn(store);
  expect(await count(asOf, { position: 2_900 * GAP })).toBe(2_900);
  const before = store.read;
  expect(await count(asOf, { position: 3_000 * GAP })).toBe(3_000);
  // Searched for from a mark near by, then folded from the snapshot on; nothing of the 2,900 is read again.
  expect(store.read - before).toBeLessThan(1_000);
  expect(await count(asOf, { position: 2_900 * GAP })).toBe(2_900);
  expect(await count(asOf, { position: 100 * GAP })).toBe(100);
});

it('lets a caller go who has waited long enough, and has it ready when he comes again', async () => {
  const { store, open: go } = gated(fees(5_000));
  const { asOf } = await openOn(store, { patience: 50 });
  const asked = count(asOf, { position: 4_000 * GAP });
  go();
  // It may be quick enough, now that nothing holds it back.
  await asked.catch((error: unknown) => expect(error).toBeInstanceOf(AsOfNotReady));
  await until(async () => (await count(asOf, { position: 4_000 * GAP }).catch(() => 0)) === 4_000);
});

it('takes only so many moments while one is being built, and tells all callers to come again', async () => {
  const { store, open: go } = gated(fees(5_000));
  const { asOf } = await openOn(store, { patience: 200 });
  const far = (n: number): Moment => ({ position: (3_000 + n) * GAP });
  const outcomes = await Promise.all(
    Array.from({ length: 9 }, (_, n) =>
      asOf.read(far(n), async () => 'answered').catch(({ message }) => message),
    ),
  );
  expect(outcomes.filter(outcome => outcome === 'it is being built')).toHaveLength(5);
  expect(outcomes.filter(outcome => outcome === 'too much else is to be done first')).toHaveLength(4);
  go();
  await until(async () => (await count(asOf, far(8)).catch(() => 0)) === 3_008);
});

it('keeps no more snapshots than it may, those used last', async () => {
  const { asOf } = await openOn(fees(60), { limits: { files: 2, bytes: 2 ** 30 } });
  for (const n of [10, 20, 30, 20, 40, 20, 50]) expect(await count(asOf, { position: n * GAP })).toBe(n);
  await until(() => snapshots().length === 2);
  expect(
    snapshots()
      .map(name => /(\d+)-/.exec(name)![1])
      .sort(),
  ).toEqual(['200', '500']);
});

it('keeps only the last one when none fits', async () => {
  const { asOf } = await openOn(fees(60), { limits: { files: 9, bytes: 1 } });
  for (const n of [10, 20, 30]) expect(await count(asOf, { position: n * GAP })).toBe(n);
  await until(() => snapshots().length === 1);
});

it('does not take away a snapshot that somebody reads', async () => {
  const { asOf } = await openOn(fees(60), { limits: { files: 1, bytes: 2 ** 30 } });
  await asOf.read({ position: 10 * GAP }, async views => {
    for (const n of [20, 30, 40]) await count(asOf, { position: n * GAP });
    expect((await everything(views, [feesProjection]))[FEE_LEDGER.name]).toHaveLength(10);
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

it('throws away at the start what a kill has left half built, and builds it anew', async () => {
  const history = fees(3_000);
  const { asOf } = await openOn(history);
  await count(asOf, { position: 1_000 * GAP });
  const slow = gated(history);
  const second = await openOn(slow.store);
  const building = count(second.asOf, { position: 2_000 * GAP });
  await until(() => snapshots().length === 1 && readdirSync(join(folder, 'as-of', '2')).length > 0);
  // As a disk has it on which the process was stopped just here.
  const left = join(folder, 'left');
  cpSync(join(folder, 'as-of', '1'), join(left, 'as-of', '1'), { recursive: true });
  const [whole] = snapshots().filter(name => name.includes('10000-'));
  cpSync(join(folder, whole!), join(left, 'as-of', '1', '20000-half.sqlite'));
  slow.open();
  await building;

  const { asOf: after } = await openOn(history, { dataDir: left });
  expect(readdirSync(join(left, 'as-of', '1')).filter(name => name.includes('half'))).toEqual([]);
  expect(await count(after, { position: 2_000 * GAP })).toBe(2_000);
});

it('does not believe snapshots of another history', async () => {
  const first = await openOn(fees(50));
  await count(first.asOf, { position: 40 * GAP });
  await first.asOf.close();
  open = [];

  const restored = historyDouble();
  for await (const page of fees(30, 'other-').readAll()) restored.add(...page);
  const { asOf } = await openOn(restored);
  expect(await count(asOf, { instant: '2026-12-31T00:00:00.000Z' })).toBe(30);
});

it('does not use what an older version of the projections made', async () => {
  const first = await openOn(fees(50));
  await count(first.asOf, { position: 40 * GAP });
  await first.asOf.close();
  open = [];

  const newer = { ...feesProjection, version: feesProjection.version + 1 };
  const { asOf } = await openOn(fees(50), { projections: [newer] });
  expect(snapshots()).toEqual([]);
  expect(await count(asOf, { position: 40 * GAP })).toBe(40);
});

it('gives up what is being built when the program stops, and leaves nothing behind', async () => {
  const { store, open: go } = gated(fees(3_000));
  const { asOf, stop } = await openOn(store);
  const asked = count(asOf, { position: 2_000 * GAP });
  const refused = expect(asked).rejects.toBeInstanceOf(AsOfNotReady);
  stop.abort(new Error('stopping'));
  go();
  await refused;
  await asOf.close();
  open = [];
  expect(snapshots()).toEqual([]);
});

it('says that a position is beyond the head', async () => {
  const { asOf } = await openOn(fees(3));
  await expect(asOf.read({ position: 31 }, async () => 1)).rejects.toBeInstanceOf(BeyondHead);
  expect(await count(asOf, { position: 30 })).toBe(3);
});
