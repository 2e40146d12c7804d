import { useState } from 'preact/hooks';
import type { RequestOf } from '../../../../contracts/http/billing/actions';
import type { FeeRow } from '../../../../contracts/http/billing/responses';
import { anyOf, Field, Select } from '../elements/form';
import { toSecond } from '../elements/instant';
import { Problem } from '../elements/problem';
import { save } from '../elements/download';
import { useCommand } from '../elements/use-command';
import { read } from './admin';
import { FeeHistory } from './fee-history';
import { RecordFee } from './record-fee';
import { Listed, useListing } from './listing';
import { merchantColumn } from './of-merchant';
import { COLLECTION_STATUSES } from './values';

type Query = Omit<RequestOf<'list_fee_ledger'>, 'action'>;
type Filter = Omit<Query, 'page' | 'pageSize'>;

/** The fee ledger, a page at a time, and as CSV. */
export function Fees() {
  const listing = useListing((query: Query) =>
    read<'list_fee_ledger'>({ action: 'list_fee_ledger', ...query }),
  );
  const [chosen, choose] = useState<string | null>(null);
  return (
    <>
      <Listed
        of={listing}
        fields={
          <>
            <Field name="billingPeriod" label="Month" type="month" />
            <Field name="dateFrom" label="From" type="date" />
            <Field name="dateTo" label="To" type="date" />
            <Select name="status" label="Status" options={anyOf(COLLECTION_STATUSES)} />
            <Field name="merchantId" label="Id of the merchant" />
            <Field name="feeType" label="Kind of fee" />
          </>
        }
        caption="Fees, newest first"
        keyOf={({ id }) => id}
        columns={columns(choose)}
      >
        {chosen !== null && (
          <FeeHistory key={chosen} id={chosen} changed={listing.again} close={() => choose(null)} />
        )}
        <Export filter={listing.filter} />
      </Listed>
      <RecordFee recorded={listing.again} />
    </>
  );
}

const columns = (choose: (id: string) => void) => [
  { title: 'Created', isDate: true, show: (row: FeeRow) => toSecond(row.created_at) },
  { title: 'Month', isDate: true, show: (row: FeeRow) => row.billing_period },
  { title: 'Kind', show: (row: FeeRow) => row.fee_type },
  { title: 'Status', show: (row: FeeRow) => row.collection_status },
  merchantColumn((row: FeeRow) => ({ name: row.merchant_name, id: row.merchant_id })),
  { title: 'Amount', isAmount: true, show: (row: FeeRow) => row.fee_amount },
  { title: 'Gross', isAmount: true, show: (row: FeeRow) => row.gross_amount },
  {
    title: 'Id',
    show: (row: FeeRow) => (
      <button type="button" onClick={() => choose(row.id)} aria-label={`History of ${row.id}`}>
        <code>{row.id}</code>
      </button>
    ),
  },
];

/** All rows of the filter. An export has a largest size: what follows is in further files, of the same state of the ledger. */
function Export({ filter }: { readonly filter: Filter }) {
  const [note, setNote] = useState('');
  const { run, error, isRunning } = useCommand(
    async () => exportAll(filter),
    files => setNote(`${files} ${files === 1 ? 'file' : 'files'} saved.`),
  );
  return (
    <div class="actions">
      <button type="button" aria-disabled={isRunning} onClick={() => void (isRunning || run(null))}>
        Download CSV
      </button>
      <span role="status">{note}</span>
      <Problem error={error} />
    </div>
  );
}

/** @returns how many files were saved */
async function exportAll(filter: Filter): Promise<number> {
  let cursor: string | undefined;
  for (let part = 1; ; part += 1) {
    const { csv, cursor: next } = await read<'export_revenue_csv'>({
      action: 'export_revenue_csv',
      ...filter,
      ...(cursor !== undefined && { cursor: cursor as never }),
    });
    save(new Blob([csv], { type: 'text/csv' }), part === 1 ? 'fees.csv' : `fees-${part}.csv`);
    if (next === undefined) return part;
    cursor = next;
  }
}
