import { commissionFor } from './commission';
import { fixedRate, rateOfPrices } from './rate';

const at = '2026-03-01T12:00:00.000Z';
const now = Date.parse(at) + 60_000;
const ton = { price: '3.00', at };
const jetton = { price: '0.50', at };
const fresh = { now, maxAgeMs: 60_000 };
const TON = 1_000_000_000n;
const none = { marginBasisPoints: 0n, minimum: 0n };

it('a TON of three dollars costs six of a jetton of half a dollar, in its smallest units', () => {
  const rate = rateOfPrices({ ton, jetton }, 6, fresh)!;
  expect(commissionFor(TON, { ...none, rate })).toBe(6_000_000n);
  expect(commissionFor(1n, { ...none, rate })).toBe(1n);
});

it('has the age of the older price, and there is none once that is too old', () => {
  const later = { ...ton, at: '2026-03-01T12:00:30.000Z' };
  expect(rateOfPrices({ ton: later, jetton }, 6, fresh)?.at).toBe(at);
  expect(rateOfPrices({ ton: later, jetton }, 6, { ...fresh, now: now + 1 })).toBeNull();
  expect(
    rateOfPrices({ ton, jetton: { ...jetton, at: later.at } }, 6, { ...fresh, now: now + 1 }),
  ).toBeNull();
});

it('there is none without both prices, or with a price of zero', () => {
  expect(rateOfPrices({ ton, jetton: null }, 6, fresh)).toBeNull();
  expect(rateOfPrices({ ton: null, jetton }, 6, fresh)).toBeNull();
  expect(rateOfPrices({ ton, jetton: { price: '0.00', at } }, 6, fresh)).toBeNull();
});

it('is what operators say', () => {
  expect(commissionFor(TON / 2n, { ...none, rate: fixedRate('2.5', 6, at) })).toBe(1_250_000n);
});
