import fc from 'fast-check';
import type { RecordedEvent } from '../../../../contracts/ports/event-store';
import { runs } from '../../../../test/random';
import { createTail, MAX_TAIL_EVENTS } from './tail';

/** A store of events at the given positions, which counts how many are read. */
function storeOf(positions: number[]) {
  const counted = { events: 0 };
  const tail = createTail((after, until) => {
    const found = positions.filter(position => position > after && position <= until);
    const events = found.slice(0, MAX_TAIL_EVENTS).map(position => ({ position }) as RecordedEvent);
    counted.events += events.length;
    return { events, damaged: null };
  });
  return { tail, counted };
}

const positionsOf = (events: readonly RecordedEvent[] | null): number[] | null =>
  events && events.map(({ position }) => position);

test('each new event is read once, however many follow', () => {
  const positions: number[] = [];
  const { tail, counted } = storeOf(positions);
  const followers = Array.from({ length: 10 }, () => -1);
  for (let position = 0; position < 1_000; position += 2) {
    positions.push(position);
    for (const [follower, after] of followers.entries()) {
      expect(positionsOf(tail.between(after, position))).toEqual([position]);
      followers[follower] = position;
    }
  }
  expect(counted.events).toBe(500);
});

test('what is too far back, or too much at once, is left to the file', () => {
  const positions = Array.from({ length: 3 * MAX_TAIL_EVENTS }, (_, position) => position);
  const { tail } = storeOf(positions);
  expect(tail.between(-1, positions.at(-1)!)).toBeNull();
  const half = MAX_TAIL_EVENTS / 2;
  for (let after = 0; after + half < positions.length; after += half)
    expect(tail.between(after, after + half)).toHaveLength(half);
  expect(tail.between(0, half)).toBeNull();
});

test('a damaged event is left to the file', () => {
  const tail = createTail(() => ({ events: [], damaged: new Error('damaged') as never }));
  expect(tail.between(0, 1)).toBeNull();
});

test('for any two positions it has all events in between, or leaves them to the file', () => {
  const appends = fc.record({
    events: fc.integer({ min: 0, max: 200 }),
    gap: fc.integer({ min: 1, max: 3 }),
  });
  const asked = fc.record({ back: fc.nat(400), until: fc.nat(50) });
  fc.assert(
    fc.property(fc.array(fc.record({ appends, asked: fc.array(asked) }), { maxLength: 12 }), steps => {
      const positions: number[] = [];
      const { tail } = storeOf(positions);
      let head = -1;
      for (const { appends: appended, asked: questions } of steps) {
        for (let i = 0; i < appended.events; i++) positions.push((head += appended.gap));
        for (const { back, until: before } of questions) {
          const until = Math.max(head - before, -1);
          const after = Math.max(until - back, -1);
          const found = positionsOf(tail.between(after, until));
          if (found)
            expect(found).toEqual(positions.filter(position => position > after && position <= until));
        }
      }
    }),
    runs(200),
  );
});
