import fc from 'fast-check';
import { storageEntryStream } from '../../contracts/events/storage-entry';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import { storageEntriesProjection } from '../../projections/storage/entries';
import { InMemoryEventStore } from '../../test/doubles/event-store';
import { runs } from '../../test/random';
import { createHandle } from '../commands/handle';
import type { AnyCall } from '../http/call';
import { createWaitLimit } from '../reads/read-until';
import { storageRoutes } from './routes';

const KEY = Buffer.alloc(32, 7);
const stream = storageEntryStream(KEY.toString('hex'));

interface Current {
  readonly seq: number;
  readonly value: string | null;
}

/** A set that only grows, as the documents of wallets do: any two can be merged. */
const encode = (set: ReadonlySet<string>): string =>
  Buffer.from(JSON.stringify([...set].sort())).toString('base64');
const decode = (value: string | null): string[] =>
  value === null ? [] : (JSON.parse(Buffer.from(value, 'base64').toString()) as string[]);

/** Cloud storage whose every step takes as long as the scheduler decides, read from documents that may be long out of date. */
function storageOf(scheduler: fc.Scheduler, isBehind: () => boolean) {
  const store = new InMemoryEventStore();
  const scheduled: InMemoryEventStore = Object.assign(Object.create(store) as InMemoryEventStore, {
    append: async (...args: Parameters<typeof store.append>) => {
      await scheduler.schedule(Promise.resolve(), 'append');
      return store.append(...args);
    },
    readStream: async function* (...args: Parameters<typeof store.readStream>) {
      await scheduler.schedule(Promise.resolve(), 'read the stream');
      yield* store.readStream(...args);
    },
  });
  let documents = 0;
  const events = () => store.stored.byStream.get(stream) ?? [];
  const [readBinding, writeBinding] = storageRoutes({
    handle: createHandle({ store: scheduled }),
    views: {
      async get<D>() {
        await scheduler.schedule(Promise.resolve(), 'read a document');
        if (!isBehind()) documents = events().length;
        const last = events()[documents - 1];
        if (!last) return null;
        const key = { collection: 'storage_entries', id: KEY.toString('hex') };
        return storageEntriesProjection.fold(null, last, key) as D | null;
      },
      count: async () => 0,
      sum: async () => 0,
      isOutdated: async () => false,
      waitForPosition: async () => true,
    },
    limits: async () => NO_LIMITS,
    sourceOf: () => 'source',
    maxKeys: 0,
    maxKibibytes: 0,
    clock: () => new Date(),
    maxValueBytes: 100_000,
    unsigned: true,
    waitMs: 0,
    waitLimit: createWaitLimit(0),
  });
  const call = (body: object): AnyCall =>
    ({ body, ip: '127.0.0.1', requestId: 'r', appendHeader: () => undefined }) as unknown as AnyCall;
  return {
    events,
    read: async (): Promise<Current> => {
      const answer = await readBinding!.handle(call({ key: KEY.toString('base64') }));
      return (answer as { value: Current }).value;
    },
    write: async (seq: number, value: string) => {
      const answer = await writeBinding!.handle(call({ key: KEY.toString('base64'), seq, value }));
      return answer as { updated: boolean; current: Current };
    },
  };
}

const device = fc.record({
  additions: fc.array(fc.string({ maxLength: 3 }), { maxLength: 4 }),
  /** Of each write in turn, whether its answer is lost. */
  lost: fc.array(fc.boolean(), { maxLength: 8 }),
});

it('devices that read, merge and write agree in the end, and no update of any is lost', () =>
  fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(device, { minLength: 2, maxLength: 4 }),
      fc.infiniteStream(fc.boolean()),
      async (scheduler, devices, behind) => {
        const storage = storageOf(scheduler, () => behind.next().value as boolean);

        const synchronize = async (set: Set<string>, lost: boolean[]): Promise<void> => {
          let current = await storage.read();
          for (;;) {
            for (const each of decode(current.value)) set.add(each);
            const value = encode(set);
            if (value === current.value) return;
            let answer = await storage.write(current.seq, value);
            // Without an answer the same request is sent again.
            while (lost.pop()) answer = await storage.write(current.seq, value);
            if (answer.updated) return expect(answer.current).toEqual({ seq: current.seq + 1, value });
            expect(answer.current.seq).toBeGreaterThan(current.seq);
            current = answer.current;
          }
        };

        const sets = devices.map(() => new Set<string>());
        const running = devices.map(async ({ additions, lost }, index) => {
          for (const [n, text] of additions.entries()) {
            sets[index]!.add(`${index} ${n} ${text}`);
            await synchronize(sets[index]!, [...lost]);
          }
        });
        await scheduler.waitFor(Promise.all(running));

        const all = devices.flatMap(({ additions }, index) =>
          additions.map((text, n) => `${index} ${n} ${text}`),
        );
        const events = storage.events();
        expect(decode((events.at(-1)?.data['value'] as string | undefined) ?? null)).toEqual(all.sort());
        expect(events.map(({ data }) => data['seq'])).toEqual(events.map((_, n) => n + 1));
      },
    ),
    runs(50),
  ));
