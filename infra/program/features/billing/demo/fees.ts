import { createHash } from 'node:crypto';
import { DEMO } from '../../../../../contracts/http/billing/demonstration';

/** Merchants that exist in demonstrations alone. */
export const DEMO_MERCHANTS = [
  DEMO.merchant,
  { merchantId: 'demo-books', name: 'Demonstration: Books', slug: 'demo-books' },
  { merchantId: 'demo-bicycles', name: 'Demonstration: Bicycles', slug: 'demo-bicycles' },
] as const;

/** What the merchants charge at once, in cents: bread is cheap, and paid often. */
const GROSS_CENTS = {
  'demo-bakery': [350, 4_200],
  'demo-books': [1_200, 9_500],
  'demo-bicycles': [38_000, 240_000],
} as const;
/** Who is paid in a month, in this order. */
const PAYMENTS = [
  'demo-bakery',
  'demo-books',
  'demo-bakery',
  'demo-bicycles',
  'demo-bakery',
  'demo-books',
  'demo-bakery',
  'demo-bakery',
  'demo-bicycles',
  'demo-books',
  'demo-bakery',
  'demo-books',
] as const satisfies readonly (keyof typeof GROSS_CENTS)[];
/** Which of them are not collected yet. */
const PENDING: readonly number[] = [4, 9];

/** What is charged, in hundredths of a percent of the gross amount. */
const RATE = { swap: 85, creation: 150 } as const;

/** The two months before the one of an instant, the older one first: `2026-09`. */
export function lastMonths(now: Date): readonly [string, string] {
  const month = (before: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before, 1)).toISOString().slice(0, 7);
  return [month(2), month(1)];
}

/**
 * The fees of a month, the same whenever they are made; none on its first and last days, so that they are of that month in every
 * time zone.
 */
export function demoFees(month: string) {
  return PAYMENTS.map((merchantId, n) => {
    const { name, slug } = DEMO_MERCHANTS.find(merchant => merchant.merchantId === merchantId)!;
    const id = `demo-${month}-${twoDigits(n + 1)}`;
    const feeType = n % 3 === 1 ? 'creation' : 'swap';
    const gross = numberOf(`${id} gross`, GROSS_CENTS[merchantId]);
    const hour = numberOf(`${id} hour`, [7, 20]);
    const minute = numberOf(`${id} minute`, [0, 59]);
    return {
      id,
      fee_type: feeType,
      fee_amount: fromCents(Math.round((gross * RATE[feeType]) / 10_000)),
      gross_amount: fromCents(gross),
      collection_status: PENDING.includes(n) ? 'pending' : 'collected',
      created_at: `${month}-${twoDigits(3 + 2 * n)}T${twoDigits(hour)}:${twoDigits(minute)}:00.000Z`,
      merchant_id: merchantId,
      merchant_name: name,
      merchant_slug: slug,
    };
  });
}

/** A whole number of a range, its ends included: any one, but for the same text always the same. */
function numberOf(text: string, [least, most]: readonly [number, number]): number {
  const digest = createHash('sha256').update(text).digest().readUInt32BE();
  return least + (digest % (most - least + 1));
}

const fromCents = (cents: number): string => (cents / 100).toFixed(2);
const twoDigits = (number: number): string => String(number).padStart(2, '0');
