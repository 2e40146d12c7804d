import { z } from 'zod';
import { dayAfter, isDay, type Day } from '../../time/billing-period';
import { decodeBase64url } from '../../encoding/base64';
import { visibleLine } from '../../text/visible-text';
import { collectionStatus, day, feeRowId, instant, invoiceId, paging } from './fields';
import { readJson } from '../../json/read-json';

/** Where the audit trail continues: the next line, of an event of a day. */
export interface AuditCursor {
  readonly day: Day;
  readonly revision: number;
  readonly line: number;
}

const cursorContent = z
  .tuple([day, z.int().min(0), z.int().min(0)])
  .transform(([at, revision, line]): AuditCursor => ({ day: at, revision, line }));

/** The opaque form that clients send back. */
export function formatAuditCursor({ day: at, revision, line }: AuditCursor): string {
  return Buffer.from(JSON.stringify([at, revision, line])).toString('base64url');
}

/** Null when the text is not a cursor. */
export function parseAuditCursor(cursor: string): AuditCursor | null {
  const bytes = decodeBase64url(cursor);
  try {
    const parsed = bytes && cursorContent.safeParse(readJson(bytes.toString())).data;
    return parsed && formatAuditCursor(parsed) === cursor ? parsed : null;
  } catch {
    return null;
  }
}

/** Days of one call: each is a stream. */
const MAX_AUDIT_DAYS = 366;

/** The fields of the requests, by action. */
export const HISTORY_REQUESTS = {
  get_fee_history: { feeId: feeRowId },
  /** Days in UTC, both included. */
  list_audit_trail: {
    dateFrom: day,
    dateTo: day,
    /** The `sub` of a token, or `cli:<user>`. */
    actor: visibleLine(255).optional(),
    /** Such as `void_invoice`, or `settlements void`. */
    auditedAction: visibleLine(100).optional(),
    pageSize: paging.pageSize,
    cursor: z
      .string()
      .max(128)
      .refine(cursor => parseAuditCursor(cursor) !== null, 'must be the `cursor` of an earlier page')
      .optional(),
  },
} as const;

/** Whether a call may read that many days of the trail. Days that do not exist are refused by themselves. */
export function isAuditRange({ dateFrom, dateTo }: { dateFrom: Day; dateTo: Day }): boolean {
  if (!isDay(dateFrom) || !isDay(dateTo)) return true;
  let last = dateFrom;
  for (let days = 1; days < MAX_AUDIT_DAYS && last < dateTo; days++) last = dayAfter(last);
  return last >= dateTo;
}

/** Whether a page continues within the days of the call. */
export function isCursorOfDays(call: { dateFrom: Day; dateTo: Day; cursor?: string | undefined }): boolean {
  const { dateFrom, dateTo, cursor } = call;
  const start = cursor === undefined ? null : parseAuditCursor(cursor);
  if (start === null || !isDay(dateFrom) || !isDay(dateTo) || dateFrom > dateTo) return true;
  return dateFrom <= start.day && start.day <= dateTo;
}

const feeChange = z.object({
  event: z.enum(['recorded', 'collected', 'waived', 'reversed']),
  /** When it was recorded, by the clock of the event store. */
  at: instant,
  by: z.string().nullable(),
  position: z.int(),
  requestId: z.string().nullable(),
  /** Of the row of the fee since then; that of an invoiced fee stays when it is reversed. */
  collection_status: collectionStatus,
  /** The row that reverses an invoiced fee. */
  adjustmentId: feeRowId.nullable(),
});
export type FeeChange = z.output<typeof feeChange>;

/** @param feeRow a row of the ledger */
export function feeHistory<Row extends z.ZodType>(feeRow: Row) {
  return z
    .object({
      feeId: feeRowId,
      /** The row of the fee, and its adjustment if it has one. */
      rows: z.array(feeRow),
      /** The invoice that is not void and has the fee. */
      invoiceId: invoiceId.nullable(),
      history: z.array(feeChange),
    })
    .meta({ id: 'FeeHistory' });
}

const about = z.record(z.string(), z.string());
const outcome = z.enum(['ok', 'refused', 'failed']);

const auditLine = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('call'),
      at: instant,
      requestId: z.string(),
      action: z.string().nullable(),
      actor: z.string().nullable(),
      /** Null once it was erased. */
      address: z.string().nullable(),
      issuer: z.string().nullable(),
      role: z.string().nullable(),
      session: z.object({ id: z.string().nullable(), age: z.number().nullable() }),
      about,
      outcome,
      status: z.int(),
      code: z.string().nullable(),
      replayed: z.boolean(),
    }),
    z.object({
      kind: z.literal('command'),
      at: instant,
      requestId: z.string(),
      action: z.string(),
      actor: z.string(),
      about,
      outcome,
      code: z.string().nullable(),
    }),
    /** Refusals that were counted instead of recorded one by one. */
    z.object({
      kind: z.literal('counted'),
      from: instant,
      at: instant,
      action: z.string().nullable(),
      actor: z.string().nullable(),
      address: z.string().nullable(),
      status: z.int().nullable(),
      code: z.string().nullable(),
      count: z.int(),
    }),
  ])
  .meta({ id: 'AuditLine' });

/**
 * Oldest first. A page whose lines were hard to find may be short, or empty, and not be the last: `truncated` is whether there may be
 * more, which `cursor` then continues with.
 */
export const auditPage = z
  .object({
    rows: z.array(auditLine),
    truncated: z.boolean(),
    cursor: z.string().optional(),
  })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.output<typeof auditPage>;
