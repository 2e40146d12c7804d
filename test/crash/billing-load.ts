import { call, type Answer } from '../e2e/client';
import { PERIODS, type ExpectedFees } from './expected-fees';
import { chance, repeatUntilKilled, oneOf, type Target } from './load-target';

/** The state of an invoice that the clients expect. */
interface KnownInvoice {
  readonly invoiceId: string;
  readonly billingPeriod: string;
  status: 'draft' | 'finalized' | 'void';
  number: string | null;
}

type Operation =
  | { readonly action: 'generate_invoice'; readonly billingPeriod: string }
  | { readonly action: 'finalize_invoice' | 'void_invoice'; readonly invoice: KnownInvoice };

export class ExpectedInvoices {
  readonly invoices = new Map<string, KnownInvoice>();
  /** Sent, but not answered so far. */
  open: Operation | null = null;

  next(): Operation {
    const billingPeriod = oneOf(PERIODS);
    const live = [...this.invoices.values()].find(
      each => each.billingPeriod === billingPeriod && each.status !== 'void',
    );
    if (!live) return { action: 'generate_invoice', billingPeriod };
    if (live.status === 'draft' && chance(0.7)) return { action: 'finalize_invoice', invoice: live };
    return { action: 'void_invoice', invoice: live };
  }
}

const unexpected = (asked: object, { status, body }: Answer): Error =>
  new Error(`${JSON.stringify(asked)} was answered ${status}: ${JSON.stringify(body)}`);

/** Sends the open operation again, or a new one. A repeated one may have been executed already. */
export async function sendOperation(
  { url, token, exited }: Pick<Target, 'url' | 'token' | 'exited'>,
  expected: ExpectedInvoices,
): Promise<void> {
  const repeated = expected.open !== null;
  const operation = (expected.open ??= expected.next());
  const body =
    operation.action === 'generate_invoice'
      ? operation
      : { action: operation.action, invoiceId: operation.invoice.invoiceId };
  const answer = await Promise.race([call(url, 'POST', '/api/instance-admin', { token, body }), exited]);
  const { code, invoice, invoiceId } = answer.body as {
    code?: string;
    invoiceId?: string;
    invoice?: { invoiceId: string; number: string | null };
  };
  // The sums may lag behind the fees: the client retries.
  if (answer.status === 503 && code === 'not_ready') return;
  expected.open = null;

  if (operation.action === 'generate_invoice') {
    if (code === 'no_collected_fees') return;
    const id = invoice?.invoiceId ?? (repeated && code === 'invoice_period_exists' ? invoiceId : undefined);
    if (id === undefined || expected.invoices.has(id)) throw unexpected(body, answer);
    const { billingPeriod } = operation;
    expected.invoices.set(id, { invoiceId: id, billingPeriod, status: 'draft', number: null });
    return;
  }
  const finalizing = operation.action === 'finalize_invoice';
  const done = repeated && code === (finalizing ? 'invoice_not_draft' : 'invoice_already_void');
  if (answer.status !== 200 && !done) throw unexpected(body, answer);
  operation.invoice.status = finalizing ? 'finalized' : 'void';
  if (invoice) operation.invoice.number = invoice.number;
}

async function postFees(
  { url, token, exited }: Pick<Target, 'url' | 'token' | 'exited'>,
  expected: ExpectedFees,
): Promise<void> {
  const { batch, repeated } = expected.next();
  const fees = batch.map(({ row }) => row);
  let answer: Answer;
  try {
    answer = await Promise.race([call(url, 'POST', '/api/fees', { token, body: { fees } }), exited]);
  } catch (error) {
    expected.lose(batch);
    throw error;
  }
  const { results } = answer.body as { results?: { result: string }[] };
  const good = results?.every(({ result }) => result === 'recorded' || (repeated && result === 'unchanged'));
  if (!good) throw unexpected({ repeated, fees }, answer);
  expected.accept(batch);
}

const BATCHES_AN_INVOICE = 8;

/** Two clients post fees; one of them also creates, finalizes and voids invoices. */
export function billingLoad(target: Target, fees: ExpectedFees, invoices: ExpectedInvoices): Promise<void>[] {
  let batches = 0;
  return [
    repeatUntilKilled(target, () => postFees(target, fees)),
    repeatUntilKilled(target, async () => {
      if (batches++ % BATCHES_AN_INVOICE === 0) await sendOperation(target, invoices);
      else await postFees(target, fees);
    }),
  ];
}

/** Repeats all requests without an answer. */
export async function finishOpenRequests(
  target: Pick<Target, 'url' | 'token' | 'exited'>,
  fees: ExpectedFees,
  invoices: ExpectedInvoices,
): Promise<void> {
  while (!fees.isComplete) await postFees(target, fees);
  while (invoices.open) await sendOperation(target, invoices);
}
