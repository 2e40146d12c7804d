import { z } from 'zod';
import { FIRST_DAY, isBillingPeriod, isDay, LAST_DAY } from '../billing-period';
import { AMOUNT, canonicalAmount } from '../money';

/** An amount off the wire, written the one way there is. */
export const amount = z
  .string()
  .regex(AMOUNT, 'a decimal string such as "12.50", at most 20 digits before the point and 18 after')
  .overwrite(text => canonicalAmount(text) ?? text);

/** A sum of amounts may be larger than one of them. */
export const total = z.string().regex(/^-?\d+\.\d{2,18}$/);

export const day = z
  .string()
  .refine(isDay, 'a day that exists, YYYY-MM-DD')
  .meta({ format: 'date', example: '2026-11-20' });

export const billingPeriod = z
  .string()
  .refine(isBillingPeriod, 'a month, YYYY-MM')
  .meta({ example: '2026-11' });

/** An RFC 3339 instant, turned into UTC with milliseconds. */
export const instant = z
  .string()
  .max(40)
  .refine(isInstant, 'an RFC 3339 instant such as 2026-11-20T12:00:00Z')
  .overwrite(text => (isInstant(text) ? new Date(text).toISOString() : text))
  .meta({ format: 'date-time' });

export const identifier = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$/, 'letters, digits and . _ : ~ -, at most 128');

export const slug = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits and . _ -, at most 64');

export const feeType = slug.meta({ example: 'creation' });

/** One line of free text. */
export const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^(?=.*\S)[^\p{Cc}\p{Cs}]+$/u, 'one line of text that is not blank');

export const collectionStatus = z.enum(['pending', 'collected', 'waived', 'reversed']);
export const invoiceStatus = z.enum(['draft', 'finalized', 'void']);
export const invoiceId = z.uuid().toLowerCase();

export const paging = {
  page: z.int().min(1).default(1),
  pageSize: z.int().min(1).max(200).default(50),
};

export const paged = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), total: z.int(), page: z.int(), pageSize: z.int() });

const INSTANT =
  /^(\d{4}-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function isInstant(text: string): boolean {
  const date = INSTANT.exec(text)?.[1];
  return date !== undefined && isDay(date) && date > FIRST_DAY && date < LAST_DAY;
}
