import { ADMIN_ACCESS, FEES_ACCESS } from '../../contracts/http/billing-access';
import { instanceAdmin, recordFees } from '../../contracts/http/billing';
import type { CommandMetadata } from '../../contracts/decider';
import type { Json } from '../../contracts/json';
import { formatPosition, type Position } from '../../contracts/position';
import type { Principal } from '../../contracts/principal';
import { Problem } from '../../contracts/problem';
import { WrongExpectedRevision } from '../../infra/event-store/port';
import type { Audited } from '../audited';
import { bind, WithHeaders, within, type Around, type Binding, type Call } from '../http/binding';
import { countCaller, limitAddress, type RateLimits } from '../http/limits';
import type { Streamed } from '../http/streamed';
import type { Once } from '../once';
import type { Prover } from '../prover';
import type { AsOf } from '../../projections/as-of/port';
import type { Views } from '../../projections/views';
import { readAsOf } from './as-of';
import { askedOfAdmin, askedOfFees, FEES_ACTION } from './asked';
import { carryOutFees } from './fee/commands';
import { minPosition } from './freshness';
import { permit, type SecureSession } from './guard';
import type { Done, InvoiceDeps } from './invoice/deps';
import { finalizeInvoice } from './invoice/finalize';
import { generateInvoice } from './invoice/generate';
import { openInvoice } from './invoice/reasons';
import { invoiceAnswer, invoiceFromStream } from './invoice/view';
import { voidInvoice } from './invoice/void';
import { proven, type ProvableRequest } from './proven';
import { createReads } from './reads';
import { openSettlements, sealedAnswer } from './settlement/answer';
import type { GenerateDeps, SettlementsDone } from './settlement/deps';
import { generateSettlement, generateSettlements } from './settlement/generate';
import { markSettlementPaid } from './settlement/mark-paid';

export interface BillingDeps extends InvoiceDeps, GenerateDeps {
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
  readonly secureSession: SecureSession;
  readonly voidReasonRequired: boolean;
  readonly limits: RateLimits;
  readonly audited: Audited;
  readonly once: Once;
  readonly asOf: AsOf;
  readonly prover: Prover;
}

export function billingRoutes(deps: BillingDeps): Binding[] {
  const reads = createReads(deps);

  /**
   * From the ledger as it is, or as it stood; with a proof where one is asked for. As it comes where that is possible and
   * the ledger is read as it is.
   */
  const at = async <Answer extends object>(
    request: ProvableRequest,
    header: (name: string) => string | undefined,
    read: (from: typeof reads, position: Position | null) => Promise<Answer>,
    stream?: (position: Position | null) => Promise<Streamed<Answer>>,
  ): Promise<Answer | Streamed<Answer> | WithHeaders<Answer | Streamed<Answer>>> => {
    const position = minPosition(header);
    const past = (views: Views): Promise<Answer> => read(createReads({ ...deps, views }), null);
    if (request.proof) return proven(deps, request, { now: reached => read(reads, reached), past });
    if (request.asOf !== undefined) return readAsOf(deps.asOf, request.asOf, deps.now(), past);
    const answer = await (stream ? stream(position) : read(reads, position));
    const head = deps.prover.head();
    return head === null ? answer : new WithHeaders(answer, { 'X-Ledger-Head': head });
  };

  const metadata = (caller: Principal, requestId: string): CommandMetadata => ({
    now: deps.now(),
    actor: caller.subject,
    issuer: caller.issuer,
    role: caller.role,
    secureSessionAge: caller.secureSessionAge,
    requestId,
  });

  /** Carries a command out once for each idempotency key; what the key makes the same is in its deps and metadata. */
  const keyed =
    (call: Call<unknown, unknown, unknown>, caller: Principal, action: string) =>
    <Answer>(command: (deps: BillingDeps, metadata: CommandMetadata) => Promise<WithHeaders<Answer>>) => {
      const known = metadata(caller, call.requestId);
      return deps.once(
        {
          key: call.header('idempotency-key'),
          scope: [deps.instanceId, caller.issuer, caller.subject, action],
          body: call.body as Json,
          metadata: known,
        },
        ({ commandId, newId }) =>
          command({ ...deps, newId }, { ...known, ...(commandId !== null && { commandId }) }),
      );
    };

  /** What a command did, from the events it wrote. */
  const answer = async (command: Promise<Done>) => {
    const { invoiceId, position } = await command.catch(conflict);
    const written = await invoiceFromStream(deps.store, invoiceId, position);
    const sealed = await invoiceAnswer(deps.views, written, deps.patience);
    const { invoice } = await openInvoice(deps.texts, { invoice: sealed });
    return new WithHeaders({ invoice }, { 'X-Ledger-Position': formatPosition(position) });
  };

  const settled = async (command: Promise<SettlementsDone>) => {
    const { settlements, position } = await command.catch(conflict);
    const answers = await openSettlements(deps.texts, settlements.map(sealedAnswer));
    return { answers, headers: { 'X-Ledger-Position': formatPosition(position) } };
  };

  return [
    bind(
      instanceAdmin,
      async call => {
        const { body, principal, header } = call;
        const access = ADMIN_ACCESS[body.action];
        const caller = permit(principal, access, deps.secureSession);
        await countCaller(deps.limits, caller, access, call);
        const once = keyed(call, caller, body.action);
        switch (body.action) {
          case 'get_revenue':
            return at(body, header, (from, position) => from.get_revenue(body, position));
          case 'list_fee_ledger':
            return at(body, header, (from, position) => from.list_fee_ledger(body, position));
          case 'export_revenue_csv':
            return at(
              body,
              header,
              (from, position) => from.export_revenue_csv(body, position),
              position => reads.stream_revenue_csv(body, position),
            );
          case 'list_invoices':
            return reads.list_invoices(body, minPosition(header));
          case 'get_invoice':
            return at(body, header, (from, position) => from.get_invoice(body, position));
          case 'generate_invoice':
            return once((own, known) => answer(generateInvoice(own, body.billingPeriod, known)));
          case 'finalize_invoice':
            return once((own, known) => answer(finalizeInvoice(own, body.invoiceId, known)));
          case 'void_invoice': {
            const reason = body.reason ?? null;
            if (reason === null && deps.voidReasonRequired) throw reasonMissing();
            return once((own, known) => answer(voidInvoice(own, body.invoiceId, reason, known)));
          }
          case 'list_settlements':
            return at(body, header, (from, position) => from.list_settlements(body, position));
          case 'generate_settlement': {
            const { billingPeriod, merchantId } = body;
            return once(async (own, known) => {
              const { answers, headers } = await settled(
                merchantId === undefined
                  ? generateSettlements(own, billingPeriod, known)
                  : generateSettlement(own, billingPeriod, merchantId, known),
              );
              return new WithHeaders({ settlements: answers }, headers);
            });
          }
          case 'mark_settlement_paid': {
            const { settlementId, paidAt = null, reference = null } = body;
            return once(async (own, known) => {
              const payment = { paidAt, reference };
              const { answers, headers } = await settled(
                markSettlementPaid(own, settlementId, payment, known),
              );
              return new WithHeaders({ settlement: answers[0]! }, headers);
            });
          }
          case 'list_rebates':
            return reads.list_rebates(body, minPosition(header));
        }
      },
      around(deps, askedOfAdmin, instanceAdmin),
    ),

    bind(
      recordFees,
      async call => {
        const caller = permit(call.principal, FEES_ACCESS, deps.secureSession);
        await countCaller(deps.limits, caller, FEES_ACCESS, call);
        return keyed(
          call,
          caller,
          FEES_ACTION,
        )(async (own, known) => {
          const { results, position } = await carryOutFees(own, call.body.fees, known);
          return new WithHeaders(
            { results: [...results] },
            { 'X-Ledger-Position': formatPosition(position) },
          );
        });
      },
      around(deps, askedOfFees, recordFees),
    ),
  ];
}

const around = (
  { audited, limits }: BillingDeps,
  asked: Parameters<Audited>[0],
  { limitedByAddress = false }: { readonly limitedByAddress?: boolean },
): Around => within(audited(asked), limitAddress(limits, limitedByAddress));

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
