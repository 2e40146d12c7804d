import { useState } from 'preact/hooks';
import type { RequestOf } from '../../../../contracts/http/billing/actions';
import type { InvoiceHead } from '../../../../contracts/http/billing/responses';
import { anyOf, Field, Form, Select, type Values } from '../elements/form';
import { toSecond } from '../elements/instant';
import { useCommand } from '../elements/use-command';
import { linkTo } from '../route';
import { command, read } from './admin';
import { InvoiceSums, Lines } from './invoice-content';
import { Listed, useListing } from './listing';
import { useNewestMonth } from './newest-month';
import { INVOICE_STATUSES, thisMonth } from './values';

type Query = Omit<RequestOf<'list_invoices'>, 'action'>;

const COLUMNS = [
  { title: 'Month', isDate: true, show: (row: InvoiceHead) => row.billingPeriod },
  { title: 'Number', show: (row: InvoiceHead) => row.number ?? '' },
  { title: 'Status', show: (row: InvoiceHead) => row.status },
  { title: 'Count', isAmount: true, show: (row: InvoiceHead) => row.feeCount },
  { title: 'Fees', isAmount: true, show: (row: InvoiceHead) => `${row.totalFee} ${row.currency}` },
  { title: 'Created', isDate: true, show: (row: InvoiceHead) => toSecond(row.createdAt) },
  {
    title: 'Id',
    show: (row: InvoiceHead) => <a href={linkTo('billing', 'invoices', row.invoiceId)}>{row.invoiceId}</a>,
  },
];

/** The invoices, and the next one. */
export function Invoices() {
  const newest = useNewestMonth();
  const listing = useListing((query: Query) => read<'list_invoices'>({ action: 'list_invoices', ...query }));
  return (
    <>
      {newest !== undefined && <GenerateInvoice month={newest ?? thisMonth()} />}
      <Listed
        of={listing}
        fields={
          <>
            <Field name="billingPeriod" label="Month" type="month" />
            <Select name="status" label="Status" options={anyOf(INVOICE_STATUSES)} />
          </>
        }
        caption="Invoices"
        keyOf={row => row.invoiceId}
        columns={COLUMNS}
      />
    </>
  );
}

/** Shows what the invoice of a month would have, and drafts it. */
function GenerateInvoice({ month }: { readonly month: string }) {
  const [shown, setShown] = useState<Awaited<ReturnType<typeof previewOf>> | null>(null);
  const previewing = useCommand(previewOf, setShown);
  const generating = useCommand(
    (billingPeriod: string, key) =>
      command<'generate_invoice'>({ action: 'generate_invoice', billingPeriod }, key),
    ({ invoice }) => (location.hash = linkTo('billing', 'invoices', invoice.invoiceId)),
  );
  return (
    <fieldset>
      <legend>New invoice</legend>
      <Form
        submit="Preview"
        error={previewing.error}
        isRunning={previewing.isRunning}
        send={({ billingPeriod = '' }: Values) => {
          setShown(null);
          void previewing.run(billingPeriod);
        }}
      >
        <Field name="billingPeriod" label="Month of the invoice" type="month" value={month} isRequired />
      </Form>
      {shown && (
        <>
          <InvoiceSums of={shown} />
          <Lines of={shown.lines} currency={shown.currency} />
          <Form
            submit={`Generate the draft of ${shown.billingPeriod}`}
            error={generating.error}
            isRunning={generating.isRunning}
            send={() => generating.run(shown.billingPeriod)}
          />
        </>
      )}
    </fieldset>
  );
}

async function previewOf(billingPeriod: string) {
  return (await read<'preview_invoice'>({ action: 'preview_invoice', billingPeriod })).preview;
}
