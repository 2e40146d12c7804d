import { planReport } from './report-plan';

it.each([
  ['list_settlements', 'merchantSlug'],
  ['list_rebates', 'merchantSlug'],
  ['list_fee_ledger', 'merchantId'],
])('a query of %s with %s, which its rows are not found by, is unusable', (action, field) => {
  const page = { page: 1, pageSize: 50 };
  expect(() => planReport({ action, ...page, [field]: 'ann' }, 1)).toThrow(`has ${field}, by which no rows`);
});
