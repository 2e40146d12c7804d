import fc from 'fast-check';
import type { FeeInput } from './instance';

export const PERIODS = ['2026-09', '2026-10', '2026-11'];
export const MERCHANTS = ['m-1', 'm-2', 'm-3'];

/** With few and many decimals: sums of both must be exact. */
export const amount = fc
  .tuple(
    fc.bigInt({ min: -50n, max: 10n ** 9n }),
    fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
    fc.constantFrom(1, 2, 2, 6, 18),
  )
  .map(
    ([whole, part, decimals]) =>
      `${whole}.${String(part)
        .padStart(18, '0')
        .slice(18 - decimals)}`,
  );

/** A row as clients send it. From few ids, so that most rows are of an existing fee. */
export const row = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record<FeeInput>({
      id: fc.integer({ min: 0, max: 150 }).map(String),
      fee_type: fc.constantFrom('creation', 'swap'),
      fee_amount: amount,
      gross_amount: amount,
      collection_status: fc.constantFrom('pending', 'collected'),
      created_at: fc
        .date({ min: new Date('2026-08-30'), max: new Date('2026-12-02'), noInvalidDate: true })
        .map(date => date.toISOString()),
      merchant_id: fc.constantFrom(...MERCHANTS),
      merchant_slug: fc.constantFrom('one', 'two', 'three'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record<FeeInput>({
      id: fc.integer({ min: 0, max: 150 }).map(String),
      action: fc.constantFrom('collect', 'waive', 'reverse'),
    }),
  },
);

/** A step of a test: fees, generating an invoice, or voiding the one of a period. */
export const step = fc.oneof(
  { weight: 4, arbitrary: fc.array(row, { minLength: 1, maxLength: 40 }).map(fees => ({ fees })) },
  { weight: 1, arbitrary: fc.constantFrom(...PERIODS).map(generate => ({ generate })) },
  { weight: 1, arbitrary: fc.constantFrom(...PERIODS).map(voided => ({ voided })) },
);
