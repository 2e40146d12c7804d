import { MAX_PENDING_FROM_SOURCE, MAX_PENDING_TO_WALLET, placeFor, fairOrder } from './places';

const request = (n: number, source: string | null, requestor = `0:${n}`) => ({
  requestId: String(n).padStart(4, '0'),
  requestor,
  source,
  created: new Date(n * 1_000).toISOString(),
});
const full = (sources: number) =>
  Array.from({ length: MAX_PENDING_TO_WALLET }, (_, n) => request(n, `source ${n % sources}`));

it('a caller with fewer requests takes the place of the newest of who has most', () => {
  const waiting = [request(9_000, 'honest'), ...full(4).slice(1)];
  const place = placeFor(waiting, request(9_001, 'another'));
  expect(place).toEqual({ fromSource: 0, isFull: false, displaced: ['0399'] });
  expect(placeFor(waiting, request(9_001, 'honest'))).toEqual({ ...place, fromSource: 1 });
});

it('one of those who have most gets no place of another', () => {
  expect(placeFor(full(4), request(9_000, 'source 1'))).toEqual({
    fromSource: MAX_PENDING_FROM_SOURCE,
    isFull: true,
    displaced: [],
  });
});

it('a request keeps its place whatever callers send that have sent more', () => {
  const genuine = request(500, 'honest');
  const waiting = [...full(3), genuine];
  expect(fairOrder(waiting).slice(0, 4)).toContain(genuine);
});

it('what is not known to come from one source counts for its requestor', () => {
  const waiting = Array.from({ length: 5 }, (_, n) => request(n, null, '0:aa'));
  expect(placeFor(waiting, request(9, null, '0:aa')).fromSource).toBe(5);
  expect(placeFor(waiting, request(9, null, '0:bb')).fromSource).toBe(0);
});
