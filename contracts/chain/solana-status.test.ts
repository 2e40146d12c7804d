import fc from 'fast-check';
import { runs } from '../../test/random';
import type { SolanaSignatureStatus } from './solana-observations';
import { furthestStatus, statusAfter } from './solana-status';

type Status = NonNullable<SolanaSignatureStatus>;

const status = (
  slot: number,
  confirmationStatus: Status['confirmationStatus'],
  confirmations: number | null = 0,
): Status => ({ slot, confirmationStatus, confirmations, err: null });

describe('the status after another reading', () => {
  const before = status(100, 'confirmed', 5);

  test.each<[string, number, SolanaSignatureStatus, SolanaSignatureStatus]>([
    ['of a node further on', 110, status(100, 'confirmed', 9), status(100, 'confirmed', 9)],
    ['of a node with fewer votes', 110, status(100, 'confirmed', 2), before],
    ['of a node that has not confirmed it', 101, status(100, 'processed', 0), before],
    ['of a node where it is final', 140, status(100, 'finalized', null), status(100, 'finalized', null)],
    ['after it was included again', 120, status(115, 'confirmed', 1), status(115, 'confirmed', 5)],
    ['of a node that does not know it yet', 110, null, before],
    ['of a node that has abandoned its block', 170, null, null],
    ['of a node that may have forgotten it', 300, null, before],
  ])('%s', (_, height, data, expected) => {
    expect(statusAfter({ height: 101, data: before }, { height, data })).toEqual(expected);
  });

  test('of a final transaction stays, whatever a node without history says', () => {
    const final = status(100, 'finalized', null);
    for (const height of [101, 170, 9_000])
      expect(statusAfter({ height: 140, data: final }, { height, data: null })).toEqual(final);
  });
});

test('of any statuses of any nodes, one that is polled never goes back', () => {
  const anyStatus = fc.record({
    slot: fc.nat(9),
    confirmationStatus: fc.constantFrom('processed', 'confirmed', 'finalized', null),
    confirmations: fc.option(fc.nat(31)),
    err: fc.constant(null),
  }) as fc.Arbitrary<Status>;
  const order = ['processed', 'confirmed', 'finalized'];
  fc.assert(
    fc.property(fc.array(fc.option(anyStatus), { minLength: 2, maxLength: 8 }), readings => {
      let known: SolanaSignatureStatus = null;
      readings.forEach((data, i) => {
        const next: SolanaSignatureStatus = statusAfter({ height: i, data: known }, { height: i + 1, data });
        if (known) {
          expect(order.indexOf(next!.confirmationStatus!)).toBeGreaterThanOrEqual(
            order.indexOf(known.confirmationStatus!),
          );
          expect(next!.confirmations ?? Infinity).toBeGreaterThanOrEqual(known.confirmations ?? Infinity);
        }
        known = next;
      });
    }),
    runs(200),
  );
});

test('of two equal ones the second counts, with the higher number of confirmations', () => {
  expect(furthestStatus(status(7, 'confirmed', 3), status(8, 'confirmed', 0))).toEqual(
    status(8, 'confirmed', 3),
  );
});
