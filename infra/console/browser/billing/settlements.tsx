import { useState } from 'preact/hooks';
import type { RequestOf } from '../../../../contracts/http/billing/actions';
import type { Settlement } from '../../../../contracts/http/billing/settlements';
import { anyOf, Field, Form, Select } from '../elements/form';
import { Pager } from '../elements/pager';
import { Table } from '../elements/table';
import { useRead } from '../elements/use-read';
import { linkTo } from '../route';
import { read } from './admin';
import { GenerateSettlements } from './generate-settlements';
import { PAGE_SIZE, SETTLEMENT_STATUSES } from './values';

type Filter = Omit<RequestOf<'list_settlements'>, 'action' | 'page' | 'pageSize'>;

const COLUMNS = [
  { title: 'Month', show: (row: Settlement) => row.billingPeriod },
  { title: 'Merchant', show: (row: Settlement) => row.merchantName },
  { title: 'Status', show: (row: Settlement) => row.status },
  { title: 'Net', isAmount: true, show: (row: Settlement) => `${row.netAmount} ${row.currency}` },
  { title: 'Fees', isAmount: true, show: (row: Settlement) => row.feeCount },
  { title: 'Created', show: (row: Settlement) => row.createdAt },
  {
    title: 'Id',
    show: (row: Settlement) => (
      <a href={linkTo('billing', 'settlements', row.settlementId)}>{row.settlementId}</a>
    ),
  },
];

/** What merchants are owed, by month, and the next settlements. */
export function Settlements() {
  const [{ filter, page }, show] = useState<{ filter: Filter; page: number }>({ filter: {}, page: 1 });
  const { value, error, isReading, again } = useRead(
    () => read<'list_settlements'>({ action: 'list_settlements', ...filter, page, pageSize: PAGE_SIZE }),
    [filter, page],
  );
  return (
    <>
      <GenerateSettlements generated={again} />
      <Form
        submit="Show"
        error={error}
        isRunning={isReading}
        send={values => show({ filter: values as Filter, page: 1 })}
      >
        <Field name="billingPeriod" label="Month" type="month" />
        <Field name="merchantId" label="Id of the merchant" />
        <Select name="status" label="Status" options={anyOf(SETTLEMENT_STATUSES)} />
      </Form>
      {!error && value && (
        <>
          <Table
            caption="Settlements"
            total={value.total}
            rows={value.rows}
            keyOf={row => row.settlementId}
            columns={COLUMNS}
          />
          <Pager page={page} pageSize={PAGE_SIZE} total={value.total} go={to => show({ filter, page: to })} />
        </>
      )}
    </>
  );
}
