import fc from 'fast-check';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { countingEventStore } from '../../test/doubles/event-store';
import { createTimeline, STRIDE } from './timeline';
import { runs } from '../../test/random';

const time = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();

/** An event of the ledger, unless it is of another stream, at a position and a second of recording. */
const event = (position: number, second: number, stream = `fee-${position}`): RecordedEvent => ({
  position,
  stream,
  revision: 0,
  id: `${position}`,
  type: 'FeeRecorded',
  data: {},
  metadata: {},
  created: time(second),
});

const find = async (
  events: readonly RecordedEvent[],
  moment: Parameters<ReturnType<typeof createTimeline>['find']>[0],
) => (await createTimeline(countingEventStore(events)).find(moment, Infinity))?.position;

describe('the last event of the ledger at or before an instant', () => {
  const events = [event(10, 1), event(20, 3), event(30, 3), event(45, 5)];

  it.each([
    [0, -1],
    [1, 10],
    [2, 10],
    [3, 30],
    [4, 30],
    [5, 45],
    [9, 45],
  ])('second %i: position %i', async (second, expected) => {
    expect(await find(events, { instant: time(second) })).toBe(expected);
  });

  it('ends at the first event that was recorded later, also when the clock was set back after it', async () => {
    const back = [event(1, 1), event(2, 8), event(3, 2), event(4, 3), event(5, 9)];
    expect(await find(back, { instant: time(3) })).toBe(1);
    expect(await find(back, { instant: time(8) })).toBe(4);
  });

  it('never changes once anything later was recorded', async () => {
    const store = countingEventStore([event(1, 1), event(2, 3)]);
    const timeline = createTimeline(store);
    const before = await timeline.find({ instant: time(2) }, Infinity);
    store.stored.record(event(3, 0), event(4, 2), event(5, 4));
    expect(await timeline.find({ instant: time(2) }, Infinity)).toEqual(before);
    expect(await createTimeline(store).find({ instant: time(2) }, Infinity)).toEqual(before);
  });
});

it('accepts any position, and skips events that are not of the ledger', async () => {
  const events = [event(10, 1), event(12, 1, 'watch-x'), event(20, 2), event(25, 9, 'audit-1')];
  const expected = [
    [-1, -1],
    [9, -1],
    [10, 10],
    [11, 10],
    [12, 10],
    [19, 10],
    [20, 20],
    [25, 20],
  ] as const;
  for (const [position, found] of expected) expect(await find(events, { position })).toBe(found);
});

it('returns null only for a search that is too long', async () => {
  const timeline = createTimeline(countingEventStore([1, 2, 3, 4].map(n => event(n, n))));
  expect(await timeline.find({ position: 4 }, 3)).toBeNull();
  expect((await timeline.find({ position: 3 }, 3))?.position).toBe(3);
  expect((await timeline.find({ position: 4 }, 4))?.position).toBe(4);
});

it('stops at the signal', async () => {
  const timeline = createTimeline(countingEventStore([event(1, 1)]));
  const reason = new Error('enough');
  await expect(timeline.find({ position: 1 }, 5, AbortSignal.abort(reason))).rejects.toBe(reason);
});

it('reads no more than a stride where it has searched before', async () => {
  const store = countingEventStore(Array.from({ length: 5 * STRIDE }, (_, n) => event(n, n)));
  const timeline = createTimeline(store);
  await timeline.find({ instant: time(1e6) }, Infinity);
  for (const at of [STRIDE - 1, STRIDE, 2 * STRIDE + 3, 5 * STRIDE]) {
    const before = store.read;
    expect(await timeline.find({ instant: time(at) }, STRIDE)).toMatchObject({
      position: Math.min(at, 5 * STRIDE - 1),
    });
    expect(store.read - before).toBeLessThanOrEqual(STRIDE + 1);
  }
});

it('is right after any searches, in a growing history, with any clock', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.record({
            gap: fc.integer({ min: 1, max: 9 }),
            second: fc.nat(6),
            ours: fc.boolean(),
            many: fc.nat(900),
          }),
          fc.record({ instant: fc.nat(7) }),
          fc.record({ position: fc.nat(20_000) }),
        ),
        { maxLength: 25 },
      ),
      async steps => {
        const store = countingEventStore();
        const timeline = createTimeline(store);
        const recorded: RecordedEvent[] = [];
        for (const step of steps) {
          if ('gap' in step) {
            for (let n = 0; n <= step.many; n++) {
              const position = (recorded.at(-1)?.position ?? 0) + step.gap;
              const one = event(position, step.second, step.ours ? `fee-${position}` : `watch-${position}`);
              recorded.push(one);
              store.stored.record(one);
            }
            continue;
          }
          const ledger = recorded.filter(({ stream }) => stream.startsWith('fee'));
          const beyond = ledger.findIndex(({ position, created }) =>
            'instant' in step ? created > time(step.instant) : position > step.position,
          );
          const expected = (beyond === -1 ? ledger : ledger.slice(0, beyond)).at(-1)?.position ?? -1;
          const moment = 'instant' in step ? { instant: time(step.instant) } : step;
          expect((await timeline.find(moment, Infinity))?.position).toBe(expected);
        }
      },
    ),
    runs(50),
  ));
