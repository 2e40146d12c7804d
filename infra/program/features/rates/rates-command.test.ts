import { NO_HISTORY } from '../../../../projections/rates/history';
import type { PriceDocument } from '../../../../projections/rates/prices';
import { priceLines } from './rates-command';

const NOW = Date.UTC(2026, 0, 1, 12);
const at = new Date(NOW - 60_000).toISOString();
const ton: PriceDocument = {
  _id: 'live/coin/TON',
  price: '3.01',
  at,
  isFrozen: false,
  used: [{ source: 'okx', price: '3.01', at }],
  dropped: [{ source: 'gate', price: '3010', at }],
  history: NO_HISTORY,
};
const stateOf = (price: PriceDocument, now = NOW, isRefreshed = true): string =>
  priceLines([price], now, isRefreshed)[1]!;

it('shows which sources a price comes from, and what was dropped', () => {
  expect(stateOf(ton)).toMatch(/^live\/coin\/TON\s+3\.01\s+\S+\s+current\s+okx\s+gate \(3010\)$/);
});

it('shows what is frozen, stale or unknown', () => {
  expect(stateOf({ ...ton, isFrozen: true })).toContain('frozen');
  expect(stateOf(ton, NOW + 600_001)).toContain('stale');
  expect(stateOf(ton, NOW, false)).toMatch(/last known/);
  expect(stateOf({ ...ton, price: null, at: null, isFrozen: true })).toContain('unknown');
});
