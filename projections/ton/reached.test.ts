import fc from 'fast-check';
import type { TonBackfilledMessage } from '../../contracts/chain/ton';
import { runs } from '../../test/random';
import { foldReached, knownSince, NOTHING_REACHED, type Reached } from './reached';

const message = (watch: number, downTo: number): TonBackfilledMessage => ({
  type: 'backfilled',
  version: 1,
  network: 'mainnet',
  account: `0:${'1'.repeat(64)}`,
  watch,
  downTo: String(downTo),
});
const after = (...messages: TonBackfilledMessage[]): Reached => messages.reduce(foldReached, NOTHING_REACHED);

it('knows how far back the history of a watch is known', () => {
  expect(knownSince(after(), 1)).toBeNull();
  expect(knownSince(after(message(1, 90)), 1)).toBe(90n);
  expect(knownSince(after(message(1, 90), message(1, 100)), 1)).toBe(90n);
  expect(knownSince(after(message(1, 90), message(1, 0)), 1)).toBe(0n);
});

it('knows nothing of a later watch, of which transactions may be missing', () => {
  const first = after(message(1, 90), message(1, 0));
  expect(knownSince(first, 2)).toBeNull();
  expect(knownSince(first, null)).toBe(0n);
  expect(knownSince(foldReached(first, message(2, 120)), 2)).toBe(120n);
});

it('is the same whatever the order of messages, and however often they come', () => {
  const messages = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 30 })));
  fc.assert(
    fc.property(messages, fc.infiniteStream(fc.nat()), (list, random) => {
      const all = list.map(([watch, downTo]) => message(watch, downTo));
      const shuffled = [...all, ...all]
        .map(each => ({ each, at: random.next().value! }))
        .sort((a, b) => a.at - b.at)
        .map(({ each }) => each);
      expect(after(...shuffled)).toEqual(after(...all));
    }),
    runs(200),
  );
});
