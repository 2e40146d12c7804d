import { useState } from 'preact/hooks';
import type { RequestOf } from '../../../../contracts/http/billing/actions';
import type { Rebate } from '../../../../contracts/http/billing/settlements';
import { anyOf, Field, Form, Select } from '../elements/form';
import { Pager } from '../elements/pager';
import { Table } from '../elements/table';
import { useRead } from '../elements/use-read';
import { linkTo } from '../route';
import { read } from './admin';
import { RebateRule } from './rebate-rule';
import { PAGE_SIZE, REBATE_STATUSES } from './values';

type Filter = Omit<RequestOf<'list_rebates'>, 'action' | 'page' | 'pageSize'>;

const COLUMNS = [
  { title: 'Month', show: (row: Rebate) => row.billingPeriod },
  { title: 'Merchant', show: (row: Rebate) => row.merchantName },
  { title: 'Status', show: (row: Rebate) => row.status },
  { title: 'Fees', isAmount: true, show: (row: Rebate) => row.basisFee },
  { title: 'Rate', isAmount: true, show: (row: Rebate) => row.rate },
  { title: 'Rebate', isAmount: true, show: (row: Rebate) => `${row.amount} ${row.currency}` },
  { title: 'Rule', isAmount: true, show: (row: Rebate) => `version ${row.ruleVersion}` },
  {
    title: 'Settlement',
    show: (row: Rebate) =>
      row.settlementId && <a href={linkTo('billing', 'settlements', row.settlementId)}>{row.settlementId}</a>,
  },
];

/** What merchants get back of their fees, and by which rule. */
export function Rebates() {
  const [{ filter, page }, show] = useState<{ filter: Filter; page: number }>({ filter: {}, page: 1 });
  const { value, error, isReading } = useRead(
    () => read<'list_rebates'>({ action: 'list_rebates', ...filter, page, pageSize: PAGE_SIZE }),
    [filter, page],
  );
  return (
    <>
      <RebateRule />
      <Form
        submit="Show"
        error={error}
        isRunning={isReading}
        send={values => show({ filter: values as Filter, page: 1 })}
      >
        <Field name="billingPeriod" label="Month" type="month" />
        <Field name="merchantId" label="Id of the merchant" />
        <Select name="status" label="Status" options={anyOf(REBATE_STATUSES)} />
      </Form>
      {!error && value && (
        <>
          <Table
            caption="Rebates"
            total={value.total}
            rows={value.rows}
            keyOf={row => row.rebateId}
            columns={COLUMNS}
          />
          <Pager page={page} pageSize={PAGE_SIZE} total={value.total} go={to => show({ filter, page: to })} />
        </>
      )}
    </>
  );
}
