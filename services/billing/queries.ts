import type { CommandMetadata } from '../../contracts/decider';
import type { QueryRequest } from '../../contracts/http/billing-actions';
import type { Invoice } from '../../contracts/http/billing-responses';
import type { SettlementPreview } from '../../contracts/http/billing-settlements';
import type { Position } from '../../contracts/position';
import type { Rebate } from '../../contracts/events/rebate';
import { REVENUE_BY_MERCHANT } from '../../projections/billing/revenue-buckets';
import type { SettlementDocument } from '../../projections/billing/settlements';
import type { BillingDeps } from './deps';
import { previewInvoice, type InvoicePreview } from './invoice/generate';
import { previewSettlements } from './settlement/generate';
import { waitUntilFolded } from './wait-until-folded';

type QueryAnswer =
  { readonly preview: Pick<Invoice, keyof InvoicePreview> } | { readonly previews: SettlementPreview[] };

/** Shows what is not a report of the ledger; nothing is written. */
export async function answerQuery(
  request: QueryRequest,
  deps: BillingDeps,
  position: Position | null,
  metadata: CommandMetadata,
): Promise<QueryAnswer> {
  await waitUntilFolded(deps.views, [REVENUE_BY_MERCHANT.name], position, deps.waitMs);
  const { billingPeriod } = request;
  switch (request.action) {
    case 'preview_invoice':
      return { preview: await previewInvoice(deps, billingPeriod) };
    case 'preview_settlement': {
      const previews = await previewSettlements(deps, billingPeriod, request.merchantId, metadata);
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
