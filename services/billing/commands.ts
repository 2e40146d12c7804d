import type { CommandRequest } from '../../contracts/http/billing-actions';
import { formatPosition } from '../../contracts/position';
import { Problem } from '../../contracts/problem';
import { WrongExpectedRevision } from '../../contracts/ports/event-store';
import { WithHeaders } from '../http/binding';
import type { BillingDeps } from './deps';
import type { Done } from './invoice/deps';
import { finalizeInvoice } from './invoice/finalize';
import { generateInvoice } from './invoice/generate';
import { openInvoice } from './invoice/reasons';
import { invoiceAnswer, invoiceFromStream } from './invoice/view';
import { voidInvoice } from './invoice/void';
import type { CarryOut } from './keyed';
import { openSettlements, sealedAnswer } from './settlement/answer';
import type { SettlementsDone } from './settlement/deps';
import { generateSettlement, generateSettlements } from './settlement/generate';
import { markSettlementPaid } from './settlement/mark-paid';

/** Carries an action out that changes something, and answers what it made. */
export function command(request: CommandRequest, { voidReasonRequired }: BillingDeps, carryOut: CarryOut) {
  switch (request.action) {
    case 'generate_invoice':
      return carryOut((deps, metadata) =>
        written(deps, generateInvoice(deps, request.billingPeriod, metadata)),
      );
    case 'finalize_invoice':
      return carryOut((deps, metadata) => written(deps, finalizeInvoice(deps, request.invoiceId, metadata)));
    case 'void_invoice': {
      const reason = request.reason ?? null;
      if (reason === null && voidReasonRequired) throw reasonMissing();
      return carryOut((deps, metadata) =>
        written(deps, voidInvoice(deps, request.invoiceId, reason, metadata)),
      );
    }
    case 'generate_settlement': {
      const { billingPeriod, merchantId } = request;
      return carryOut(async (deps, metadata) => {
        const { settlements, headers } = await settled(
          deps,
          merchantId === undefined
            ? generateSettlements(deps, billingPeriod, metadata)
            : generateSettlement(deps, billingPeriod, merchantId, metadata),
        );
        return new WithHeaders({ settlements }, headers);
      });
    }
    case 'mark_settlement_paid': {
      const { settlementId, paidAt = null, reference = null } = request;
      return carryOut(async (deps, metadata) => {
        const { settlements, headers } = await settled(
          deps,
          markSettlementPaid(deps, settlementId, { paidAt, reference }, metadata),
        );
        return new WithHeaders({ settlement: settlements[0]! }, headers);
      });
    }
  }
}

/** The invoice as the events have it that were just written. */
async function written({ store, views, texts, patience }: BillingDeps, done: Promise<Done>) {
  const { invoiceId, position } = await done.catch(conflict);
  const found = await invoiceFromStream(store, invoiceId, position);
  const sealed = await invoiceAnswer(views, found, patience);
  const { invoice } = await openInvoice(texts, { invoice: sealed });
  return new WithHeaders({ invoice }, { 'X-Ledger-Position': formatPosition(position) });
}

async function settled({ texts }: BillingDeps, done: Promise<SettlementsDone>) {
  const { settlements, position } = await done.catch(conflict);
  return {
    settlements: await openSettlements(texts, settlements.map(sealedAnswer)),
    headers: { 'X-Ledger-Position': formatPosition(position) },
  };
}

function conflict(error: unknown): never {
  if (!(error instanceof WrongExpectedRevision)) throw error;
  throw new Problem(
    409,
    'version_conflict',
    'Others were changing the same thing at the same time; try again.',
  );
}

function reasonMissing(): Problem {
  const message = 'this instance asks for a reason';
  return new Problem(400, 'invalid_request', `/body/reason: ${message}`, {
    errors: [{ pointer: '/body/reason', code: 'required', message }],
  });
}
