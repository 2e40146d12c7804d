import { DEMO } from '../../../../../contracts/http/billing/demonstration';

/** Merchants that exist in demonstrations alone. */
export const DEMO_MERCHANTS = [
  DEMO.merchant,
  { merchantId: 'demo-books', name: 'Demonstration: Books', slug: 'demo-books' },
  { merchantId: 'demo-bicycles', name: 'Demonstration: Bicycles', slug: 'demo-bicycles' },
] as const;

const FEES_A_MONTH = 12;
const FEE_TYPES = ['creation', 'swap'] as const;
/** A fee is so many hundredths of what it is charged on, which is whole. */
const PERCENT = 2;

/** The two months before the one of an instant, the older one first: `2026-09`. */
export function lastMonths(now: Date): readonly [string, string] {
  const month = (before: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before, 1)).toISOString().slice(0, 7);
  return [month(2), month(1)];
}

/**
 * The fees of a month, the same whenever they are made; in the middle of their days, so that they are of that month in every
 * time zone. Every fourth one is not collected yet.
 */
export function demoFees(month: string) {
  const monthNumber = Number(month.slice(5));
  return Array.from({ length: FEES_A_MONTH }, (_, n) => {
    const { merchantId, name, slug } = DEMO_MERCHANTS[n % DEMO_MERCHANTS.length]!;
    const gross = 40 + ((n * 37 + monthNumber * 59) % 160);
    return {
      id: `demo-${month}-${String(n + 1).padStart(2, '0')}`,
      fee_type: FEE_TYPES[n % FEE_TYPES.length]!,
      fee_amount: ((gross * PERCENT) / 100).toFixed(2),
      gross_amount: String(gross),
      collection_status: n % 4 === 3 ? 'pending' : 'collected',
      created_at: `${month}-${String(3 + 2 * n).padStart(2, '0')}T12:00:00.000Z`,
      merchant_id: merchantId,
      merchant_name: name,
      merchant_slug: slug,
    };
  });
}
