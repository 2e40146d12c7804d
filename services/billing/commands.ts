import type { CommandMetadata } from '../../contracts/decider';
import type { Invoice } from '../../contracts/http/billing/responses';
import type { CommandRequest } from '../../contracts/http/billing/actions';
import type { NamedMerchant, ShownRebateRule } from '../../contracts/http/billing/merchants';
import type { Settlement } from '../../contracts/http/billing/settlements';
import { formatPosition } from '../../contracts/position';
import { Reply } from '../http/call';
import type { BillingDeps } from './deps';
import { shownMerchant } from './merchant/decider';
import { setMerchant } from './merchant/set';
import { shownRule } from './rebate/rule';
import { setRebateRule } from './rebate/set-rule';
import type { InvoiceResult } from './invoice/deps';
import { finalizeInvoice } from './invoice/finalize';
import { generateInvoice } from './invoice/generate';
import { decryptInvoice } from './invoice/decrypt';
import { invoiceResponse, invoiceFromStream } from './invoice/view';
import { voidInvoice } from './invoice/void';
import { decryptSettlements, encryptedSettlement } from './settlement/decrypt';
import type { SettlementsResult } from './settlement/deps';
import { generateSettlement, generateSettlements } from './settlement/generate';
import { markSettlementPaid } from './settlement/mark-paid';
import { voidSettlement } from './settlement/void';

type CommandAnswer =
  | { invoice: Invoice }
  | { settlements: Settlement[] }
  | { settlement: Settlement }
  | { rule: ShownRebateRule }
  | { merchant: NamedMerchant };

/** Executes an action that changes something, and returns what it created or changed. */
export async function execute(
  request: CommandRequest,
  deps: BillingDeps,
  metadata: CommandMetadata,
): Promise<Reply<CommandAnswer>> {
  switch (request.action) {
    case 'generate_invoice':
      return invoiceReply(deps, generateInvoice(deps, request.billingPeriod, metadata));
    case 'finalize_invoice':
      return invoiceReply(deps, finalizeInvoice(deps, request.invoiceId, metadata));
    case 'void_invoice': {
      const { invoiceId, reason = null } = request;
      return invoiceReply(deps, voidInvoice(deps, invoiceId, reason, metadata));
    }
    case 'generate_settlement': {
      const { billingPeriod, merchantId } = request;
      const { settlements, headers } = await settlementReply(
        deps,
        merchantId === undefined
          ? generateSettlements(deps, billingPeriod, metadata)
          : generateSettlement(deps, billingPeriod, merchantId, metadata),
      );
      return new Reply({ settlements }, headers);
    }
    case 'mark_settlement_paid': {
      const { settlementId, paidAt = null, reference = null } = request;
      const { settlements, headers } = await settlementReply(
        deps,
        markSettlementPaid(deps, settlementId, { paidAt, reference }, metadata),
      );
      return new Reply({ settlement: settlements[0]! }, headers);
    }
    case 'void_settlement': {
      const { settlementId, reason } = request;
      const { settlements, headers } = await settlementReply(
        deps,
        voidSettlement(deps, settlementId, reason, metadata),
      );
      return new Reply({ settlement: settlements[0]! }, headers);
    }
    case 'set_rebate_rule': {
      const { rule, position } = await setRebateRule(deps, request.tiers, metadata);
      return new Reply({ rule: shownRule(rule) }, { 'X-Ledger-Position': formatPosition(position) });
    }
    case 'set_merchant': {
      const { merchant, position } = await setMerchant(deps, request, metadata);
      return new Reply(
        { merchant: shownMerchant(merchant) },
        { 'X-Ledger-Position': formatPosition(position) },
      );
    }
  }
}

/** The invoice as of the events just written. */
async function invoiceReply({ store, views, texts, waitMs }: BillingDeps, done: Promise<InvoiceResult>) {
  const { invoiceId, position } = await done;
  const found = await invoiceFromStream(store, invoiceId, position);
  const encrypted = await invoiceResponse(views, found, waitMs);
  const { invoice } = await decryptInvoice(texts, { invoice: encrypted });
  return new Reply({ invoice }, { 'X-Ledger-Position': formatPosition(position) });
}

async function settlementReply({ texts }: BillingDeps, done: Promise<SettlementsResult>) {
  const { settlements, position } = await done;
  return {
    settlements: await decryptSettlements(texts, settlements.map(encryptedSettlement)),
    headers: { 'X-Ledger-Position': formatPosition(position) },
  };
}
