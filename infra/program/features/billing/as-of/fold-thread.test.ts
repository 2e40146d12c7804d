import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { AsOfNotReady, type Moment } from '../../../../../projections/as-of/port';
import { FEE_LEDGER } from '../../../../../projections/billing/fee-ledger';
import { BILLING_PROJECTIONS } from '../../../../../projections/billing/billing-projections';
import { fillFees } from '../../../../../test/bench/fill/fees';
import { allDocuments, allDocumentsAsOf } from '../../../../../test/billing/all-documents';
import { temporaryFolder } from '../../../../../test/temporary-folder';
import { openEventStore } from '../../../../engines/engines';
import { WorkerThreadEnded } from '../../../../engines/worker-thread/worker-thread';
import type { EventStore, RecordedEvent } from '../../../../../contracts/ports/event-store';
import { openAsOf, type AsOfOptions, type OpenAsOf } from './as-of';
import { threadBuilder } from './fold-thread';
import { runs } from '../../../../../test/random';

const EVENTS = 6_000;

let source: string;
let store: EventStore;
/** In the order they were recorded. */
const events: RecordedEvent[] = [];
beforeAll(async () => {
  source = temporaryFolder();
  store = await openEventStore({ DATA_DIR: source });
  await fillFees(store, EVENTS);
  for await (const page of store.readAll()) events.push(...page);
});
afterAll(() => store.close());

let folder: string;
let stop: AbortController;
let open: OpenAsOf[];
beforeEach(() => {
  folder = temporaryFolder();
  stop = new AbortController();
  open = [];
});
afterEach(async () => {
  stop.abort(new Error('stopped'));
  for (const asOf of open) await asOf.close();
});

async function openInThread(options: Partial<AsOfOptions> = {}): Promise<OpenAsOf> {
  const asOf = await openAsOf({
    dataDir: folder,
    store,
    projections: BILLING_PROJECTIONS,
    builder: threadBuilder({ DATA_DIR: source }),
    limits: { files: 4, bytes: 2 ** 30 },
    timeoutMs: 60_000,
    logger: pino({ level: 'silent' }),
    signal: stop.signal,
    ...options,
  });
  open.push(asOf);
  return asOf;
}

const head = (): number => events.at(-1)!.position;
const feesIn = (until: number): number =>
  events.filter(({ type, position }) => type === 'FeeRecorded' && position <= until).length;
const count = (asOf: OpenAsOf, moment: Moment): Promise<number> =>
  asOf.read(moment, async views => (await allDocuments(views, BILLING_PROJECTIONS))[FEE_LEDGER.name]!.length);
const refusal = async (asOf: OpenAsOf, moment: Moment): Promise<AsOfNotReady> => {
  const outcome = await count(asOf, moment).catch((error: unknown) => error);
  if (outcome instanceof AsOfNotReady) return outcome;
  throw new Error(`not refused: ${String(outcome)}`);
};
const snapshots = (): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.sqlite'));

it('equals a fold of the events up to any position and instant', async () => {
  const asOf = await openInThread();
  let fresh = 0;
  const place = fc.nat(EVENTS - 1).map(nth => events[nth]!);
  await fc.assert(
    fc.asyncProperty(place, fc.boolean(), async ({ position, created }, byInstant) => {
      const last = byInstant ? events.findLast(event => event.created <= created)!.position : position;
      const [found, at] = await asOf.read(
        byInstant ? { instant: created } : { position },
        async (views, stood) => [await allDocuments(views, BILLING_PROJECTIONS), stood] as const,
      );
      expect(at).toBe(last);
      const file = join(folder, `fresh-${fresh++}`);
      expect(found).toEqual(await allDocumentsAsOf(store, BILLING_PROJECTIONS, last, file));
    }),
    runs(2),
  );
});

it('builds a snapshot while this thread is blocked', async () => {
  const asOf = await openInThread();
  const counting = count(asOf, { position: head() });
  while (snapshots().length === 0) await new Promise(setImmediate);

  // The event loop is blocked from here on.
  const file = join(folder, snapshots()[0]!);
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  for (let polls = 0; statSync(file).size < 1024 * 1024; polls++) {
    if (polls > 6_000) throw new Error('the snapshot was not built');
    Atomics.wait(nothing, 0, 0, 10);
  }
  expect(await counting).toBe(feesIn(head()));
});

it('reads almost nothing of the ledger in this thread, and answers other reads before the snapshot is there', async () => {
  let read = 0;
  const counting: EventStore = {
    ...store,
    async *readAll(options) {
      for await (const page of store.readAll(options)) {
        read += page.length;
        yield page;
      }
    },
  };
  const builder = threadBuilder({ DATA_DIR: source });
  const asOf = await openInThread({ store: counting, builder });
  await count(asOf, { position: 10 });

  let answered: () => void = () => undefined;
  const others = new Promise<void>(resolve => (answered = resolve));
  const { fold } = builder;
  // Does not end before the others are answered.
  jest.spyOn(builder, 'fold').mockImplementation(async (...given) => {
    await Promise.all([fold(...given), others]);
  });
  const far = count(asOf, { instant: new Date().toISOString() });
  for (let n = 0; n < 10; n++) expect(await count(asOf, { position: 10 })).toBe(feesIn(10));
  answered();
  expect(await far).toBe(feesIn(head()));
  expect(read).toBeLessThan(EVENTS / 2);
});

it('remembers marks that the thread found, so that the next search nearby is short', async () => {
  const builder = threadBuilder({ DATA_DIR: source });
  const find = jest.spyOn(builder, 'find');
  const asOf = await openInThread({ builder });
  for (const position of [head(), head() - 5]) expect(await count(asOf, { position })).toBe(feesIn(position));
  expect(find).toHaveBeenCalledTimes(1);
});

it('survives a crash of the thread: waiting callers can retry, and the next one is answered', async () => {
  const healthy = threadBuilder({ DATA_DIR: source });
  const crash = () => Promise.reject(new WorkerThreadEnded('the thread ended with exit code 1'));
  let isCrashing = true;
  const asOf = await openInThread({
    builder: {
      find: (...given) => (isCrashing ? crash() : healthy.find(...given)),
      fold: (...given) => (isCrashing ? crash() : healthy.fold(...given)),
    },
  });
  const waiting = [{ position: 50 }, { position: 50 }, { position: head() }].map(moment =>
    count(asOf, moment),
  );
  for (const outcome of await Promise.allSettled(waiting))
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(AsOfNotReady) });
  expect(snapshots()).toEqual([]);
  isCrashing = false;
  expect(await count(asOf, { position: 50 })).toBe(feesIn(50));
});

it('reports the error of the thread', async () => {
  const asOf = await openInThread({ builder: threadBuilder({ DATA_DIR: join(source, 'events.sqlite') }) });
  expect(String((await refusal(asOf, { position: 50 })).cause)).toContain('DATA_DIR');
});

it('ends the thread when the program stops, and leaves no file', async () => {
  const asOf = await openInThread({ onProgress: () => stop.abort(new Error('stopping')) });
  expect((await refusal(asOf, { position: head() })).cause).toEqual(new Error('stopping'));
  await asOf.close();
  open = [];
  expect(snapshots()).toEqual([]);
  expect(process.getActiveResourcesInfo()).not.toContain('Worker');
});
