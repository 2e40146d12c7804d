import type { Invoice as InvoiceView } from '../../../../contracts/http/billing/responses';
import { ActionButton } from '../elements/action-button';
import { Facts } from '../elements/facts';
import { Field, Form } from '../elements/form';
import { toSecond } from '../elements/instant';
import { Problem } from '../elements/problem';
import { Table } from '../elements/table';
import { useCommand } from '../elements/use-command';
import { useRead } from '../elements/use-read';
import { linkTo } from '../route';
import { command, read } from './admin';
import { Documents } from './documents';
import { InvoiceSums, Lines } from './invoice-content';

type HistoryLine = InvoiceView['history'][number];

const HISTORY = [
  { title: 'Event', show: (line: HistoryLine) => line.event },
  { title: 'At', isDate: true, show: (line: HistoryLine) => toSecond(line.at) },
  { title: 'By', show: (line: HistoryLine) => line.by },
  { title: 'Reason', show: (line: HistoryLine) => (line.reasonErased ? 'erased' : (line.reason ?? '')) },
];

/** One invoice: what it has, and what can be done with it. */
export function Invoice({ invoiceId }: { readonly invoiceId: string }) {
  const { value, error, again } = useRead(
    () => read<'get_invoice'>({ action: 'get_invoice', invoiceId: invoiceId as never }),
    [invoiceId],
  );
  const invoice = value?.invoice;
  return (
    <>
      <Problem error={error} />
      {invoice && (
        <>
          <h3>
            {invoice.number === null ? `Draft of ${invoice.billingPeriod}` : `Invoice ${invoice.number}`}
          </h3>
          <InvoiceSums of={invoice} />
          <Facts of={factsOf(invoice)} />
          <div class="actions">
            {invoice.status === 'draft' && (
              <ActionButton
                label="Finalize"
                question="Finalize it? It gets a number and does not change any more."
                send={key => command<'finalize_invoice'>({ action: 'finalize_invoice', invoiceId }, key)}
                done={again}
              />
            )}
            <Documents
              name={`invoice-${invoice.number ?? invoice.billingPeriod}`}
              of={format => ({ action: 'export_invoice', invoiceId, format })}
            />
          </div>
          {invoice.status !== 'void' && <VoidInvoice invoiceId={invoiceId} done={again} />}
          <Lines of={invoice.lines} currency={invoice.currency} />
          <Table
            caption="What has happened"
            rows={invoice.history}
            keyOf={line => line.event}
            columns={HISTORY}
          />
        </>
      )}
    </>
  );
}

const feesIn = (count: number): string => `${count} ${count === 1 ? 'fee' : 'fees'}`;

const factsOf = (invoice: InvoiceView) =>
  [
    ['Status', invoice.status],
    ['Id', <code>{invoice.invoiceId}</code>],
    [
      'Replaces',
      invoice.replacesInvoiceId && (
        <a href={linkTo('billing', 'invoices', invoice.replacesInvoiceId)}>{invoice.replacesInvoiceId}</a>
      ),
    ],
    ['Content hash', <code>{invoice.contentHash}</code>],
    [
      'Collected since, not on it',
      !!invoice.uninvoicedFeeCount &&
        `${feesIn(invoice.uninvoicedFeeCount)}, ${invoice.uninvoicedFee} ${invoice.currency}`,
    ],
    [
      'Reversed since, on it',
      !!invoice.reversedFeeCount &&
        `${feesIn(invoice.reversedFeeCount)}, ${invoice.reversedFee} ${invoice.currency}`,
    ],
  ] as const;

/** For good: the month can then be invoiced again. */
function VoidInvoice({ invoiceId, done }: { readonly invoiceId: string; done(): void }) {
  const { run, error, isRunning } = useCommand(
    (reason: string | undefined, key) =>
      command<'void_invoice'>(
        { action: 'void_invoice', invoiceId, ...(reason !== undefined && { reason }) },
        key,
      ),
    done,
  );
  return (
    <details>
      <summary>Void it</summary>
      <Form submit="Void for good" error={error} isRunning={isRunning} send={({ reason }) => run(reason)}>
        <Field name="reason" label="Reason (required by some instances)" isWide />
      </Form>
    </details>
  );
}
