import { call, type Answer } from '../e2e/client';
import { PERIODS, type FeeBook } from './main-fee-book';
import { chance, keepUp, oneOf, type Target } from './main-target';

/** What the clients know of an invoice. */
interface KnownInvoice {
  readonly invoiceId: string;
  readonly billingPeriod: string;
  status: 'draft' | 'finalized' | 'void';
  number: string | null;
}

type Operation =
  | { readonly action: 'generate_invoice'; readonly billingPeriod: string }
  | { readonly action: 'finalize_invoice' | 'void_invoice'; readonly invoice: KnownInvoice };

export class InvoiceBook {
  readonly invoices = new Map<string, KnownInvoice>();
  /** Asked for without an answer so far. */
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

/** Carries out what is open, or something new. What was asked before may turn out to be done already. */
export async function operate(
  { url, token, dead }: Pick<Target, 'url' | 'token' | 'dead'>,
  book: InvoiceBook,
): Promise<void> {
  const repeated = book.open !== null;
  const operation = (book.open ??= book.next());
  const body =
    operation.action === 'generate_invoice'
      ? operation
      : { action: operation.action, invoiceId: operation.invoice.invoiceId };
  const answer = await Promise.race([call(url, 'POST', '/api/instance-admin', { token, body }), dead]);
  const { code, invoice, invoiceId } = answer.body as {
    code?: string;
    invoiceId?: string;
    invoice?: { invoiceId: string; number: string | null };
  };
  // The sums may lag behind fees that come in this fast: the client asks again.
  if (answer.status === 503 && code === 'not_ready') return;
  book.open = null;

  if (operation.action === 'generate_invoice') {
    if (code === 'no_collected_fees') return;
    const id = invoice?.invoiceId ?? (repeated && code === 'invoice_period_exists' ? invoiceId : undefined);
    if (id === undefined || book.invoices.has(id)) throw unexpected(body, answer);
    const { billingPeriod } = operation;
    book.invoices.set(id, { invoiceId: id, billingPeriod, status: 'draft', number: null });
    return;
  }
  const finalizing = operation.action === 'finalize_invoice';
  const done = repeated && code === (finalizing ? 'invoice_not_draft' : 'invoice_already_void');
  if (answer.status !== 200 && !done) throw unexpected(body, answer);
  operation.invoice.status = finalizing ? 'finalized' : 'void';
  if (invoice) operation.invoice.number = invoice.number;
}

async function postFees(
  { url, token, dead }: Pick<Target, 'url' | 'token' | 'dead'>,
  book: FeeBook,
): Promise<void> {
  const { batch, repeated } = book.next();
  const fees = batch.map(({ row }) => row);
  let answer: Answer;
  try {
    answer = await Promise.race([call(url, 'POST', '/api/fees', { token, body: { fees } }), dead]);
  } catch (error) {
    book.lose(batch);
    throw error;
  }
  const { results } = answer.body as { results?: { result: string }[] };
  const good = results?.every(({ result }) => result === 'recorded' || (repeated && result === 'unchanged'));
  if (!good) throw unexpected({ repeated, fees }, answer);
  book.accept(batch);
}

const BATCHES_AN_INVOICE = 8;

/** Two clients post fees; one of them sees to the invoices now and then. */
export function billingLoad(target: Target, fees: FeeBook, invoices: InvoiceBook): Promise<void>[] {
  let batches = 0;
  return [
    keepUp(target, () => postFees(target, fees)),
    keepUp(target, async () => {
      if (batches++ % BATCHES_AN_INVOICE === 0) await operate(target, invoices);
      else await postFees(target, fees);
    }),
  ];
}

/** Asks again for all that was left without an answer. */
export async function settleBilling(
  target: Pick<Target, 'url' | 'token' | 'dead'>,
  fees: FeeBook,
  invoices: InvoiceBook,
): Promise<void> {
  while (!fees.settled) await postFees(target, fees);
  while (invoices.open) await operate(target, invoices);
}
