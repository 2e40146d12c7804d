import fc from 'fast-check';
import { PRICES_TOPIC, type PriceRecord } from '../../contracts/chain/prices';
import { amountOf, type Amount } from '../../contracts/money/money';
import { messages } from '../../test/contracts/builders';
import { runs } from '../../test/random';
import { MAX_AGE_MS, pricesProjection, type PriceDocument } from './prices';

/** One source that says what it likes, when it likes, among others of which each says something of its own. */

const ASSET = 'live/coin/TON';
const START = Date.UTC(2026, 0, 1);
const LIAR = 'liar';

/** So many seconds after the one before. */
interface Step {
  readonly seconds: number;
  /** Which of the others speaks; null: the liar. */
  readonly speaker: number | null;
  /** Others: by how much its price differs from that of the others, in parts of 100,000. */
  readonly apart: number;
  /** How the price of the market moves, likewise. */
  readonly moved: number;
  readonly lie: Lie;
  /** Seconds: how old the liar says that its price is. */
  readonly age: number;
}

type Lie =
  | { readonly kind: 'any'; readonly price: string }
  /** Of the published price, or of what the market says: within 5 % or not. */
  | { readonly kind: 'of published' | 'of market'; readonly factor: number };

const factor = fc.oneof(
  fc.double({ min: 0.94, max: 1.06, noNaN: true }),
  fc.constantFrom(1, 0.95, 1.05, 0.001, 1_000),
);
const lie: fc.Arbitrary<Lie> = fc.oneof(
  fc.record({
    kind: fc.constant('any' as const),
    price: fc.constantFrom('0.000000000000000001', '99999999999999999999', '3', '2.9', '3.1'),
  }),
  fc.record({ kind: fc.constantFrom('of published' as const, 'of market' as const), factor }),
);
const step = (others: number, apart: number): fc.Arbitrary<Step> =>
  fc.record({
    seconds: fc.oneof(fc.nat(60), fc.constantFrom(0, 300, 700)),
    speaker: fc.option(fc.nat(others - 1), { freq: 3 }),
    apart: fc.integer({ min: -apart, max: apart }),
    moved: fc.integer({ min: -500, max: 500 }),
    lie,
    age: fc.constantFrom(0, 0, 0, 1, 599, 601, 86_400),
  });
/** The others are near to each other, or not; there are two of them at least. */
const scenario = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.constantFrom(100, 2_000, 20_000))
  .chain(([others, apart]) =>
    fc.record({
      others: fc.constant(others),
      steps: fc.array(step(others, apart), { minLength: 20, maxLength: 60 }),
    }),
  );

const decimal = (price: number): string => price.toFixed(12);

it('never moves the price out of what the others say: it is within, or frozen where it was', () => {
  let moves = 0;
  fc.assert(
    fc.property(scenario, ({ others, steps }) => {
      let now = START;
      let market = 3;
      let document: PriceDocument | null = null;
      const honest = new Map<number, { readonly price: Amount; readonly at: number }>();
      for (const { seconds, speaker, apart, moved, lie, age } of steps) {
        now += seconds * 1_000;
        market *= 1 + moved / 100_000;
        const published: number = Number(document?.price ?? market);
        const said =
          speaker !== null
            ? decimal(market * (1 + apart / 100_000))
            : lie.kind === 'any'
              ? lie.price
              : decimal((lie.kind === 'of market' ? market : published) * lie.factor);
        if (speaker !== null) honest.set(speaker, { price: amountOf(said), at: now });
        const record: PriceRecord = {
          asset: ASSET,
          source: speaker === null ? LIAR : `source-${speaker % others}`,
          price: said,
          at: new Date(speaker === null ? now - age * 1_000 : now).toISOString(),
          readAt: new Date(now).toISOString(),
          quorum: 3,
        };
        const [message] = messages(PRICES_TOPIC.name, [{ key: ASSET, value: record }]);
        const before: PriceDocument | null = document;
        document = pricesProjection.fold(before, message!, {
          collection: 'prices',
          id: ASSET,
        }) as PriceDocument;
        if (document.isFrozen) {
          expect(document.price).toBe(before?.price ?? null);
          continue;
        }
        const prices = [...honest.values()]
          .filter(({ at }) => now - at <= MAX_AGE_MS)
          .map(({ price }) => price);
        const price = amountOf(document.price!);
        expect(prices.some(said => said <= price) && prices.some(said => said >= price)).toBe(true);
        moves++;
      }
    }),
    runs(150),
  );
  expect(moves).toBeGreaterThan(300);
});
