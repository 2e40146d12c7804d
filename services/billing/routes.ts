import { ADMIN_ACCESS, FEES_ACCESS } from '../../contracts/http/billing-access';
import { instanceAdmin, recordFees } from '../../contracts/http/billing';
import type { CommandMetadata } from '../../contracts/decider';
import { formatPosition } from '../../contracts/position';
import type { Principal } from '../../contracts/principal';
import { Problem } from '../../contracts/problem';
import { WrongExpectedRevision } from '../../infra/event-store/port';
import { bind, WithHeaders, type Binding } from '../http/binding';
import { carryOutFees } from './fee/commands';
import { minPosition } from './freshness';
import { permit, type SecureSession } from './guard';
import type { Done, InvoiceDeps } from './invoice/deps';
import { finalizeInvoice } from './invoice/finalize';
import { generateInvoice } from './invoice/generate';
import { invoiceAnswer, invoiceFromStream } from './invoice/view';
import { voidInvoice } from './invoice/void';
import { createReads } from './reads';

export interface BillingDeps extends InvoiceDeps {
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
  readonly secureSession: SecureSession;
  readonly voidReasonRequired: boolean;
}

export function billingRoutes(deps: BillingDeps): Binding[] {
  const reads = createReads(deps);

  const metadata = (caller: Principal, requestId: string): CommandMetadata => ({
    now: deps.now(),
    actor: caller.subject,
    issuer: caller.issuer,
    role: caller.role,
    secureSessionAge: caller.secureSessionAge,
    requestId,
  });

  /** What a command did, from the events it wrote. */
  const answer = async (command: Promise<Done>) => {
    const { invoiceId, position } = await command.catch(conflict);
    const written = await invoiceFromStream(deps.store, invoiceId);
    const invoice = await invoiceAnswer(deps.views, written, deps.patience);
    return new WithHeaders({ invoice }, { 'X-Ledger-Position': formatPosition(position) });
  };

  return [
    bind(instanceAdmin, async ({ body, principal, requestId, header }) => {
      const caller = permit(principal, ADMIN_ACCESS[body.action], deps.secureSession);
      switch (body.action) {
        case 'get_revenue':
          return reads.get_revenue(body, minPosition(header));
        case 'list_fee_ledger':
          return reads.list_fee_ledger(body, minPosition(header));
        case 'export_revenue_csv':
          return reads.export_revenue_csv(body, minPosition(header));
        case 'list_invoices':
          return reads.list_invoices(body, minPosition(header));
        case 'get_invoice':
          return reads.get_invoice(body, minPosition(header));
        case 'generate_invoice':
          return answer(generateInvoice(deps, body.billingPeriod, metadata(caller, requestId)));
        case 'finalize_invoice':
          return answer(finalizeInvoice(deps, body.invoiceId, metadata(caller, requestId)));
        case 'void_invoice': {
          const reason = body.reason ?? null;
          if (reason === null && deps.voidReasonRequired) throw reasonMissing();
          return answer(voidInvoice(deps, body.invoiceId, reason, metadata(caller, requestId)));
        }
      }
    }),

    bind(recordFees, async ({ body, principal, requestId }) => {
      const caller = permit(principal, FEES_ACCESS, deps.secureSession);
      const { results, position } = await carryOutFees(deps, body.fees, metadata(caller, requestId));
      return new WithHeaders({ results: [...results] }, { 'X-Ledger-Position': formatPosition(position) });
    }),
  ];
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
