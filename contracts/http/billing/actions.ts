import { z } from 'zod';
import { isDay } from '../../time/billing-period';
import { visibleLine } from '../../text/visible-text';
import {
  ADMIN_ACCESS,
  describeAccess,
  COMMAND_ACCESS,
  REPORT_ACCESS,
  type AdminAction,
  type CommandAction,
  type QueryAction,
  type ReportAction,
} from './access';
import {
  asOf,
  billingPeriod,
  collectionStatus,
  day,
  feeType,
  invoiceId,
  invoiceStatus,
  MERCHANT,
  paging,
} from './fields';
import { HISTORY_REQUESTS, isAuditRange, isCursorOfDays } from './history';
import { MERCHANT_REQUESTS } from './merchants';
import { SETTLEMENT_REQUESTS } from './settlements';
import { exportCursor } from './export-cursor';

const action = <Name extends AdminAction, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z
    .strictObject({ action: z.literal(name), ...shape })
    .meta({ title: name, description: describeAccess(ADMIN_ACCESS[name]) });

/** Every report can be requested as of a moment, instead of now, and with a proof. */
const report = <Name extends ReportAction, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  action(name, {
    ...shape,
    asOf: asOf.optional(),
    /** Adds a proof to the response, which can be verified without this program. */
    proof: z.boolean().optional(),
  });

/** A document for people; the answer is the file. */
const documentFormat = z.enum(['csv', 'pdf']);

/** Calendar days in the instance's time zone, both included. */
const dates = { dateFrom: day.optional(), dateTo: day.optional() };

/** Rows of the fee ledger: of these days, and with these values. */
const feeFilter = {
  ...dates,
  status: collectionStatus.optional(),
  billingPeriod: billingPeriod.optional(),
  ...MERCHANT,
  feeType: feeType.optional(),
};

const areDatesOrdered = ({
  dateFrom,
  dateTo,
}: {
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}) => ![dateFrom, dateTo].every(given => given !== undefined && isDay(given)) || dateFrom! <= dateTo!;
const order = { path: ['dateFrom'], message: 'must not be after dateTo' };

const requests = z.discriminatedUnion('action', [
  report('get_revenue', { ...dates, billingPeriod: billingPeriod.optional() }).refine(areDatesOrdered, order),
  report('list_fee_ledger', { ...feeFilter, ...paging }).refine(areDatesOrdered, order),
  /** `cursor` is that of the part before, in a request that is otherwise the same. */
  report('export_revenue_csv', { ...feeFilter, cursor: exportCursor.optional() }).refine(
    areDatesOrdered,
    order,
  ),
  report('list_invoices', {
    ...paging,
    status: invoiceStatus.optional(),
    billingPeriod: billingPeriod.optional(),
  }),
  report('get_invoice', { invoiceId }),
  report('list_settlements', SETTLEMENT_REQUESTS.list_settlements),
  report('get_settlement', SETTLEMENT_REQUESTS.get_settlement),
  report('list_rebates', SETTLEMENT_REQUESTS.list_rebates),
  action('preview_invoice', { billingPeriod }),
  action('preview_settlement', SETTLEMENT_REQUESTS.generate_settlement),
  action('get_fee_history', HISTORY_REQUESTS.get_fee_history),
  action('list_audit_trail', HISTORY_REQUESTS.list_audit_trail)
    .refine(areDatesOrdered, order)
    .refine(isAuditRange, { path: ['dateTo'], message: 'must end a range of at most 366 days' })
    .refine(isCursorOfDays, {
      path: ['cursor'],
      message: 'must be the `cursor` of an earlier page of these days',
    }),
  action('export_invoice', { invoiceId, format: documentFormat }),
  action('export_settlement', { ...SETTLEMENT_REQUESTS.get_settlement, format: documentFormat }),
  action('get_rebate_rule', {}),
  action('list_merchants', MERCHANT_REQUESTS.list_merchants),
  action('generate_invoice', { billingPeriod }),
  action('finalize_invoice', { invoiceId }),
  action('void_invoice', { invoiceId, reason: visibleLine(500).optional() }),
  action('generate_settlement', SETTLEMENT_REQUESTS.generate_settlement),
  action('mark_settlement_paid', SETTLEMENT_REQUESTS.mark_settlement_paid),
  action('void_settlement', SETTLEMENT_REQUESTS.void_settlement),
  action('set_rebate_rule', MERCHANT_REQUESTS.set_rebate_rule),
  action('set_merchant', MERCHANT_REQUESTS.set_merchant),
]);

/** The body of a call: `action` names the operation, the other fields depend on it. Unknown fields are refused. */
export const adminRequest = z.preprocess((body, context) => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const named = (body as { action?: unknown }).action;
  if (typeof named === 'string' && Object.hasOwn(ADMIN_ACCESS, named)) return body;
  if (named === undefined) {
    context.addIssue({ code: 'invalid_type', expected: 'string', input: undefined, path: ['action'] });
    return z.NEVER;
  }
  context.addIssue({
    code: 'custom',
    path: ['action'],
    message: `must be one of ${Object.keys(ADMIN_ACCESS).join(', ')}`,
    params: { problem: 'unknown_action', code: 'unknown_action' },
  });
  return z.NEVER;
}, requests);

export type AdminRequest = z.output<typeof adminRequest>;
export type RequestOf<Action extends AdminAction> = Extract<AdminRequest, { action: Action }>;
export type ReportRequest = RequestOf<ReportAction>;
export type QueryRequest = RequestOf<QueryAction>;
export type CommandRequest = RequestOf<CommandAction>;

export function isReport(request: AdminRequest): request is ReportRequest {
  return Object.hasOwn(REPORT_ACCESS, request.action);
}

export function isCommand(request: AdminRequest): request is CommandRequest {
  return Object.hasOwn(COMMAND_ACCESS, request.action);
}

type MerchantField = keyof typeof MERCHANT;

/** By which rows are found; every other action has the merchant that it is about in a field of its own. */
const FOUND_BY: Readonly<Partial<Record<AdminAction, MerchantField>>> = {
  list_fee_ledger: 'merchantSlug',
  export_revenue_csv: 'merchantSlug',
  list_settlements: 'merchantId',
  list_rebates: 'merchantId',
  preview_settlement: 'merchantId',
  generate_settlement: 'merchantId',
};

/**
 * The field by which the action finds a merchant, and the value of the other one, by which it does not.
 * @returns null where the request has no such other field
 */
export function otherMerchantField(request: AdminRequest): {
  readonly foundBy: MerchantField;
  readonly other: MerchantField;
  readonly value: string;
} | null {
  const foundBy = FOUND_BY[request.action];
  if (foundBy === undefined) return null;
  const other = foundBy === 'merchantId' ? 'merchantSlug' : 'merchantId';
  const value = (request as { readonly [Field in MerchantField]?: string })[other];
  return value === undefined ? null : { foundBy, other, value };
}
