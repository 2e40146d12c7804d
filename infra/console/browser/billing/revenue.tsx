import { useState } from 'preact/hooks';
import { Field, Form, type Values } from '../elements/form';
import { Table } from '../elements/table';
import { useRead } from '../elements/use-read';
import { read } from './admin';
import { thisMonth } from './values';

/** What was earned in a month or between two days, in all and by merchant. */
export function Revenue() {
  const [filter, setFilter] = useState<Values>({ billingPeriod: thisMonth() });
  const { value, error, isReading } = useRead(
    () => read<'get_revenue'>({ action: 'get_revenue', ...filter }),
    [filter],
  );
  return (
    <>
      <Form submit="Show" error={error} isRunning={isReading} send={setFilter}>
        <Field name="billingPeriod" label="Month" type="month" value={filter['billingPeriod'] ?? ''} />
        <Field name="dateFrom" label="From" type="date" />
        <Field name="dateTo" label="To" type="date" />
      </Form>
      {!error && value && (
        <>
          <h3>By kind of fee</h3>
          <Table
            caption="Sums"
            rows={value.summary}
            keyOf={row => `${row.fee_type} ${row.collection_status}`}
            columns={[
              { title: 'Fee', show: row => row.fee_type },
              { title: 'Status', show: row => row.collection_status },
              { title: 'Count', isAmount: true, show: row => row.count },
              { title: 'Fees', isAmount: true, show: row => row.total_fee },
              { title: 'Gross', isAmount: true, show: row => row.total_gross },
            ]}
          />
          <h3>By merchant</h3>
          <Table
            caption="Merchants"
            rows={value.byMerchant}
            keyOf={row => row.merchant_id}
            columns={[
              { title: 'Merchant', show: row => row.merchant_name },
              { title: 'Id', show: row => <code>{row.merchant_id}</code> },
              { title: 'Fees', isAmount: true, show: row => row.fee_count },
              { title: 'Collected', isAmount: true, show: row => row.collected },
              { title: 'Pending', isAmount: true, show: row => row.pending },
            ]}
          />
        </>
      )}
    </>
  );
}
