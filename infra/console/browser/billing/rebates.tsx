import type { RequestOf } from '../../../../contracts/http/billing/actions';
import type { Rebate } from '../../../../contracts/http/billing/settlements';
import { linkTo } from '../route';
import { read } from './admin';
import { RebateRule } from './rebate-rule';
import { Listed, useListing } from './listing';
import { merchantColumn, OfMerchant } from './of-merchant';
import { REBATE_STATUSES } from './values';

type Query = Omit<RequestOf<'list_rebates'>, 'action'>;

const COLUMNS = [
  { title: 'Month', isDate: true, show: (row: Rebate) => row.billingPeriod },
  merchantColumn((row: Rebate) => ({ name: row.merchantName, id: row.merchantId })),
  { title: 'Status', show: (row: Rebate) => row.status },
  { title: 'Fees', isAmount: true, show: (row: Rebate) => `${row.basisFee} ${row.currency}` },
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
  const listing = useListing((query: Query) => read<'list_rebates'>({ action: 'list_rebates', ...query }));
  return (
    <>
      <RebateRule />
      <Listed
        of={listing}
        fields={<OfMerchant statuses={REBATE_STATUSES} />}
        caption="Rebates"
        keyOf={row => row.rebateId}
        columns={COLUMNS}
      />
    </>
  );
}
