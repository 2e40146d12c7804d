import { z } from 'zod';
import { dayAfter, dayBefore, FIRST_DAY, isBillingPeriod, isDay, LAST_DAY } from '../../time/billing-period';
import { adjustmentId, isAdjustmentId } from '../../events/fee';
import { AMOUNT, canonicalAmount } from '../../money/money';
import { reportProof } from '../../ledger-tree/report-proof';
import { BEGINNING } from '../../position';
import { visibleLine } from '../../text/visible-text';

/** An amount from the wire, in canonical form. */
export const amount = z
  .string()
  .regex(AMOUNT, 'must be a decimal string such as "12.50", at most 20 digits before the point and 18 after')
  .overwrite(text => canonicalAmount(text) ?? text);

/** A sum of amounts may be larger than one of them. */
export const total = z.string().regex(/^-?\d+\.\d{2,18}$/);

export const day = z
  .string()
  .refine(isDay, 'must be a day that exists, as YYYY-MM-DD')
  .meta({ format: 'date', example: '2026-11-20' });

export const billingPeriod = z
  .string()
  .refine(isBillingPeriod, 'must be a month from 01 to 12, as YYYY-MM')
  .meta({ example: '2026-11' });

const AN_INSTANT = 'an RFC 3339 instant such as 2026-11-20T12:00:00Z';

const IN_RANGE = `a date from ${dayAfter(FIRST_DAY)} to ${dayBefore(LAST_DAY)} in UTC`;

const instantOr = (message?: string) =>
  z
    .string(message)
    .max(40, message)
    .refine(isInstant, { error: message ?? AN_INSTANT, abort: true })
    .refine(isInRange, { error: IN_RANGE, abort: true })
    .overwrite(text => (isInstant(text) ? new Date(text).toISOString() : text))
    .meta({ format: 'date-time' });

/** An RFC 3339 instant, turned into UTC with milliseconds. */
export const instant = instantOr();

const A_MOMENT = `${AN_INSTANT}, or a position of the ledger, which is a number`;

/** A point in the recorded history: text is an instant of recording, a number is a position of the ledger. */
export const asOf = z
  .union([instantOr(A_MOMENT), z.int(A_MOMENT).min(BEGINNING, A_MOMENT)])
  .meta({ description: `The ledger as of: ${A_MOMENT}.`, example: '2026-11-20T12:00:00Z' });

export const identifier = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$/, 'must be at most 128 letters, digits and . _ : ~ -');

export const feeId = identifier.refine(
  id => !isAdjustmentId(id),
  `must be an id that does not end as ${adjustmentId('…')}`,
);

/** The id of a row of the ledger: of a fee, or of the adjustment that reverses it. */
export const feeRowId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:~-]{0,136}$/);

export const slug = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be at most 64 letters, digits and . _ -');

export const feeType = slug.meta({ example: 'creation' });

export const merchantName = visibleLine(200);

export const collectionStatus = z.enum(['pending', 'collected', 'waived', 'reversed']);
export const invoiceStatus = z.enum(['draft', 'finalized', 'void']);
export const invoiceId = z.uuid().toLowerCase();

export const paging = {
  page: z.int().min(1).default(1),
  pageSize: z.int().min(1).max(200).default(50),
};

/** In the response to a request with `"proof": true`. */
export const proved = { proof: reportProof.meta({ id: 'ReportProof' }).optional() };

/** A page of a report. */
export function paged<Row extends z.ZodType>(row: Row) {
  return z.object({ rows: z.array(row), total: z.int(), page: z.int(), pageSize: z.int(), ...proved });
}

const INSTANT =
  /^(\d{4}-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Of a day that exists where it was written. */
function isInstant(text: string): boolean {
  const date = INSTANT.exec(text)?.[1];
  return date !== undefined && isDay(date);
}

/** Its day in UTC is; in any time zone its day is then one that a fee may have. */
function isInRange(text: string): boolean {
  const day = new Date(text).toISOString().slice(0, 10);
  return day > FIRST_DAY && day < LAST_DAY;
}

/** A merchant, by one of them. */
export const MERCHANT = { merchantId: identifier.optional(), merchantSlug: slug.optional() };
