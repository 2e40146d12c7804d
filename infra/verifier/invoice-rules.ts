import {
  invoiceLinesStream,
  invoiceStream,
  type InvoiceEvent,
  type InvoiceLinesDrafted,
} from '../../contracts/events/invoice';
import type { LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import { inconsistent, type InvoiceRule } from './outcome';

type Recorded = (InvoiceEvent | InvoiceLinesDrafted) & Pick<LedgerEvent, 'stream' | 'revision' | 'position'>;

interface Invoice {
  readonly billingPeriod: string;
  readonly status: 'draft' | 'finalizing' | 'finalized' | 'void';
}

/** The rules that the events of each invoice keep: PROOFS.md, section 6, where each has its name. */
export class InvoiceRules {
  readonly #invoices = new Map<string, Invoice>();
  /** The number of events of each stream. */
  readonly #events = new Map<string, number>();

  /** Of events that have the form of their type, in the order of the ledger. @throws VerificationFailed `inconsistent` */
  check(event: Recorded): void {
    const rule = this.#brokenRule(event);
    if (rule) throw inconsistent(event, rule, 'invoices');
    const { type, data, stream, revision } = event;
    this.#events.set(stream, revision + 1);
    if (type === 'InvoiceLinesDrafted') return;
    this.#invoices.set(stream, { billingPeriod: data.billingPeriod, status: STATUS_AFTER[type] });
  }

  #brokenRule(event: Recorded): InvoiceRule | null {
    const { type, data, stream, revision } = event;
    const { invoiceId } = data;
    const ofLines = type === 'InvoiceLinesDrafted';
    if (stream !== (ofLines ? invoiceLinesStream(invoiceId, data.digest) : invoiceStream(invoiceId)))
      return 'stream';
    if (revision !== this.#count(stream)) return 'revision';
    if (ofLines) return data.part === revision ? null : 'lines';
    const invoice = this.#invoices.get(stream);
    if (!STATUSES_BEFORE[type].includes(invoice?.status ?? null)) return 'transition';
    if (invoice && invoice.billingPeriod !== data.billingPeriod) return 'members';
    return type === 'InvoiceGenerated' && data.drafted && !this.#hasDrafted(invoiceId, data.drafted)
      ? 'lines'
      : null;
  }

  #hasDrafted(
    invoiceId: string,
    { digest, parts }: { readonly digest: string; readonly parts: number },
  ): boolean {
    return this.#count(invoiceLinesStream(invoiceId, digest)) === parts;
  }

  #count(stream: string): number {
    return this.#events.get(stream) ?? 0;
  }
}

/** Null: nothing is known of the invoice. */
const STATUSES_BEFORE: Readonly<Record<InvoiceEvent['type'], readonly (Invoice['status'] | null)[]>> = {
  InvoiceGenerated: [null],
  InvoiceFinalizationStarted: ['draft'],
  InvoiceFinalized: ['finalizing'],
  InvoiceVoided: ['draft', 'finalized'],
};

const STATUS_AFTER = {
  InvoiceGenerated: 'draft',
  InvoiceFinalizationStarted: 'finalizing',
  InvoiceFinalized: 'finalized',
  InvoiceVoided: 'void',
} as const;
