import { z } from 'zod';
import { isDay } from '../billing-period';
import { ADMIN_ACCESS, describeAccess, type AdminAction } from './billing-access';
import {
  asOf,
  billingPeriod,
  collectionStatus,
  day,
  feeType,
  invoiceId,
  invoiceStatus,
  paging,
  slug,
  text,
} from './billing-fields';
import { SETTLEMENT_REQUESTS } from './billing-settlements';

const action = <Name extends AdminAction, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z
    .strictObject({ action: z.literal(name), ...shape })
    .meta({ title: name, description: describeAccess(ADMIN_ACCESS[name]) });

/** Calendar days in the instance's time zone, both included. */
const dates = { dateFrom: day.optional(), dateTo: day.optional() };

/** Without it, as things are now. */
const moment = { asOf: asOf.optional() };

/** With true the answer brings a proof of it, to be verified without this program. */
const provable = { proof: z.boolean().optional() };

const inOrder = ({ dateFrom, dateTo }: { dateFrom?: string | undefined; dateTo?: string | undefined }) =>
  ![dateFrom, dateTo].every(given => given !== undefined && isDay(given)) || dateFrom! <= dateTo!;
const order = { path: ['dateFrom'], message: 'must not be after dateTo' };

const requests = z.discriminatedUnion('action', [
  action('get_revenue', { ...dates, ...moment, ...provable, billingPeriod: billingPeriod.optional() }).refine(
    inOrder,
    order,
  ),
  action('list_fee_ledger', {
    ...dates,
    ...moment,
    ...provable,
    ...paging,
    status: collectionStatus.optional(),
    billingPeriod: billingPeriod.optional(),
    merchantSlug: slug.optional(),
    feeType: feeType.optional(),
  }).refine(inOrder, order),
  action('export_revenue_csv', { ...dates, ...moment, ...provable }).refine(inOrder, order),
  action('list_invoices', {
    ...paging,
    status: invoiceStatus.optional(),
    billingPeriod: billingPeriod.optional(),
  }),
  action('get_invoice', { ...moment, ...provable, invoiceId }),
  action('generate_invoice', { billingPeriod }),
  action('finalize_invoice', { invoiceId }),
  action('void_invoice', { invoiceId, reason: text(500).optional() }),
  action('list_settlements', { ...provable, ...SETTLEMENT_REQUESTS.list_settlements }),
  action('generate_settlement', SETTLEMENT_REQUESTS.generate_settlement),
  action('mark_settlement_paid', SETTLEMENT_REQUESTS.mark_settlement_paid),
  action('list_rebates', SETTLEMENT_REQUESTS.list_rebates),
]);

/** The body of a call: `action` names the operation, the other fields depend on it. Unknown fields are refused. */
export const adminRequest = z.preprocess((body, context) => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const named = (body as { action?: unknown }).action;
  if (typeof named === 'string' && Object.hasOwn(ADMIN_ACCESS, named)) return body;
  context.addIssue({
    code: 'custom',
    path: ['action'],
    message: `one of ${Object.keys(ADMIN_ACCESS).join(', ')}`,
    params: { problem: 'unknown_action', code: 'unknown_action' },
  });
  return z.NEVER;
}, requests);

export type AdminRequest = z.output<typeof adminRequest>;
export type RequestOf<Action extends AdminAction> = Extract<AdminRequest, { action: Action }>;
