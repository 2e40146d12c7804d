import { useState } from 'preact/hooks';
import { Field, Form, type Values } from '../elements/form';
import { Table } from '../elements/table';
import { useRead } from '../elements/use-read';
import { read } from './admin';
import { useNewestMonth } from './newest-month';
import { thisMonth } from './values';

/** What was earned in a month or between two days, in all and by merchant: at first in the newest month that has begun and has a fee. */
export function Revenue() {
  const newest = useNewestMonth();
  return newest === undefined ? null : <RevenueFrom newest={newest} />;
}

function RevenueFrom({ newest }: { readonly newest: string | null }) {
  const [filter, setFilter] = useState<Values>({ billingPeriod: newest ?? thisMonth() });
  // Fields keep what was typed: those of another month are others.
  const [form, setForm] = useState(0);
  const showMonth = (billingPeriod: string): void => {
    setForm(last => last + 1);
    setFilter({ billingPeriod });
  };
  const { value, error, isReading } = useRead(
    () => read<'get_revenue'>({ action: 'get_revenue', ...filter }),
    [filter],
  );
  return (
    <>
      <Form key={form} submit="Show" error={error} isRunning={isReading} send={setFilter}>
        <Field name="billingPeriod" label="Month" type="month" value={filter['billingPeriod'] ?? ''} />
        <Field name="dateFrom" label="From" type="date" />
        <Field name="dateTo" label="To" type="date" />
      </Form>
      {!error && value?.summary.length === 0 && <NothingThen newest={newest} show={showMonth} />}
      {!error && !!value?.summary.length && (
        <>
          <h3>By kind of fee</h3>
          <Table
            caption="By kind of fee"
            isCaptionHidden
            rows={value.summary}
            keyOf={row => `${row.fee_type} ${row.collection_status}`}
            columns={[
              { title: 'Kind', show: row => row.fee_type },
              { title: 'Status', show: row => row.collection_status },
              { title: 'Count', isAmount: true, show: row => row.count },
              { title: 'Fees', isAmount: true, show: row => row.total_fee },
              { title: 'Gross', isAmount: true, show: row => row.total_gross },
            ]}
          />
          <h3>By merchant</h3>
          <Table
            caption="By merchant"
            isCaptionHidden
            rows={value.byMerchant}
            keyOf={row => row.merchant_id}
            columns={[
              { title: 'Merchant', show: row => row.merchant_name },
              { title: 'Id', show: row => <code>{row.merchant_id}</code> },
              { title: 'Count', isAmount: true, show: row => row.fee_count },
              { title: 'Collected', isAmount: true, show: row => row.collected },
              { title: 'Pending', isAmount: true, show: row => row.pending },
            ]}
          />
        </>
      )}
    </>
  );
}

interface NothingThenProps {
  readonly newest: string | null;
  show(month: string): void;
}

function NothingThen({ newest, show }: NothingThenProps) {
  if (newest === null) return <p>The ledger has no fees yet.</p>;
  return (
    <p>
      There are no fees then.{' '}
      <button type="button" onClick={() => show(newest)}>
        Show {newest}, the newest month with fees so far
      </button>
    </p>
  );
}
