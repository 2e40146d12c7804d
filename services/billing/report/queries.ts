import type { CommandMetadata } from '../../../contracts/decider';
import type { QueryAction } from '../../../contracts/http/billing/access';
import type { QueryRequest } from '../../../contracts/http/billing/actions';
import { formatAuditCursor, parseAuditCursor, type AuditPage } from '../../../contracts/http/billing/history';
import type { Invoice } from '../../../contracts/http/billing/responses';
import type { NamedMerchant, ShownRebateRule } from '../../../contracts/http/billing/merchants';
import type { SettlementPreview } from '../../../contracts/http/billing/settlements';
import { BEGINNING, formatPosition, type Position } from '../../../contracts/position';
import type { Rebate } from '../../../contracts/events/rebate';
import { listNamedMerchants, MERCHANTS } from '../../../projections/billing/merchants';
import { REVENUE_BY_MERCHANT } from '../../../projections/billing/revenue-buckets';
import type { SettlementDocument } from '../../../projections/billing/settlements';
import { Reply, type Attachment } from '../../http/call';
import { exportDocument } from '../documents/export';
import { readAuditPage } from '../../audit/read';
import type { BillingDeps } from '../deps';
import { sourcesOf } from './reports';
import { getFeeHistory, type FeeHistory } from '../fee/history';
import { previewInvoice, type InvoicePreview } from '../invoice/generate';
import { shownMerchant } from '../merchant/decider';
import { shownRule } from '../rebate/rule';
import { rebateRule } from '../rebate/set-rule';
import { previewSettlements } from '../settlement/generate';
import { notReached, waitUntilFolded } from '../../commands/wait-until-folded';

type QueryAnswer =
  | { readonly preview: Pick<Invoice, keyof InvoicePreview> }
  | { readonly previews: SettlementPreview[] }
  | FeeHistory
  | AuditPage
  | Attachment
  | { readonly rule: ShownRebateRule | null }
  | { readonly merchants: NamedMerchant[]; readonly next: string | null };

/** The documents that are read; none where the events themselves are. */
const SOURCES: Readonly<Record<QueryAction, readonly string[]>> = {
  get_fee_history: [],
  get_rebate_rule: [],
  list_audit_trail: [],
  list_merchants: [MERCHANTS.name],
  preview_invoice: [REVENUE_BY_MERCHANT.name],
  preview_settlement: [REVENUE_BY_MERCHANT.name],
  export_invoice: sourcesOf('get_invoice'),
  export_settlement: sourcesOf('get_settlement'),
};

/** Shows what is not a report of the ledger; nothing is written. @param position that it includes at least */
export async function answerQuery(
  request: QueryRequest,
  deps: BillingDeps,
  position: Position | null,
  metadata: CommandMetadata,
): Promise<Reply<QueryAnswer>> {
  const reached = await reach(SOURCES[request.action], deps, position);
  const answer = await query(request, deps, metadata);
  return new Reply(answer, { 'X-Ledger-Position': formatPosition(reached) });
}

/** @returns the position that what is read has at least @throws Problem 503 when it does not get to the wanted one in time */
async function reach(
  sources: readonly string[],
  { views, store, waitMs }: BillingDeps,
  wanted: Position | null,
): Promise<Position> {
  if (sources.length === 0) {
    const end = await store.end();
    if (wanted !== null && wanted > end) throw notReached(wanted);
    return end;
  }
  await waitUntilFolded(views, sources, wanted, waitMs);
  return Math.max(await views.foldedUpTo(sources), wanted ?? BEGINNING);
}

async function query(
  request: QueryRequest,
  deps: BillingDeps,
  metadata: CommandMetadata,
): Promise<QueryAnswer> {
  switch (request.action) {
    case 'preview_invoice':
      return { preview: await previewInvoice(deps, request.billingPeriod, metadata) };
    case 'get_fee_history':
      return getFeeHistory(deps, request.feeId);
    case 'export_invoice':
    case 'export_settlement':
      return exportDocument(deps, request);
    case 'get_rebate_rule': {
      const rule = await rebateRule(deps.store, deps.instanceId);
      return { rule: rule && shownRule(rule) };
    }
    case 'list_merchants': {
      const { after, pageSize } = request;
      const found = await listNamedMerchants(deps.views, after, pageSize + 1);
      const page = found.slice(0, pageSize);
      const merchants = page.map(({ _id, ...merchant }) => shownMerchant({ merchant_id: _id, ...merchant }));
      return { merchants, next: found.length > pageSize ? page.at(-1)!._id : null };
    }
    case 'list_audit_trail': {
      const { dateFrom: from, dateTo: to, actor, auditedAction: action, pageSize, cursor } = request;
      const query = {
        from,
        to,
        ...(actor !== undefined && { actor }),
        ...(action !== undefined && { action }),
      };
      const start = cursor === undefined ? null : parseAuditCursor(cursor);
      const { lines, next } = await readAuditPage(deps, deps.instanceId, query, start, pageSize);
      return {
        rows: [...lines],
        truncated: next !== null,
        ...(next && { cursor: formatAuditCursor(next) }),
      };
    }
    case 'preview_settlement': {
      const { billingPeriod, merchantId } = request;
      const previews = await previewSettlements(deps, billingPeriod, merchantId, metadata);
      return { previews: previews.map(shown) };
    }
  }
}

/** Without what only a settlement that exists has. */
function shown({
  settlement,
  rebates,
}: {
  settlement: SettlementDocument;
  rebates: readonly Rebate[];
}): SettlementPreview {
  return {
    billingPeriod: settlement.billingPeriod,
    merchantId: settlement.merchantId,
    merchantName: settlement.merchantName,
    currency: settlement.currency,
    grossCollected: settlement.grossCollected,
    feesCollected: settlement.feesCollected,
    rebateApplied: settlement.rebateApplied,
    carriedIn: settlement.carriedIn,
    netAmount: settlement.netAmount,
    status: settlement.status,
    feeCount: settlement.feeCount,
    ledgerPosition: settlement.ledgerPosition,
    lines: settlement.lines,
    carriedFrom: settlement.carriedFrom,
    rebates: rebates.map(({ billingPeriod, basisFee, rate, amount, ruleId, ruleVersion }) => ({
      billingPeriod,
      basisFee,
      rate,
      amount,
      ruleId,
      ruleVersion,
    })),
  };
}
