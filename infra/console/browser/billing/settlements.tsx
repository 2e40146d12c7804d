import type { RequestOf } from '../../../../contracts/http/billing/actions';
import type { Settlement } from '../../../../contracts/http/billing/settlements';
import { toSecond } from '../elements/instant';
import { linkTo } from '../route';
import { read } from './admin';
import { GenerateSettlements } from './generate-settlements';
import { Listed, useListing } from './listing';
import { merchantColumn, OfMerchant } from './of-merchant';
import { useNewestMonth } from './newest-month';
import { SETTLEMENT_STATUSES, thisMonth } from './values';

type Query = Omit<RequestOf<'list_settlements'>, 'action'>;

const COLUMNS = [
  { title: 'Month', isDate: true, show: (row: Settlement) => row.billingPeriod },
  merchantColumn((row: Settlement) => ({ name: row.merchantName, id: row.merchantId })),
  { title: 'Status', show: (row: Settlement) => row.status },
  { title: 'Net', isAmount: true, show: (row: Settlement) => `${row.netAmount} ${row.currency}` },
  { title: 'Count', isAmount: true, show: (row: Settlement) => row.feeCount },
  { title: 'Created', isDate: true, show: (row: Settlement) => toSecond(row.createdAt) },
  {
    title: 'Id',
    show: (row: Settlement) => (
      <a href={linkTo('billing', 'settlements', row.settlementId)}>{row.settlementId}</a>
    ),
  },
];

/** What merchants are owed, by month, and the next settlements. */
export function Settlements() {
  const newest = useNewestMonth();
  const listing = useListing((query: Query) =>
    read<'list_settlements'>({ action: 'list_settlements', ...query }),
  );
  return (
    <>
      {newest !== undefined && (
        <GenerateSettlements month={newest ?? thisMonth()} generated={listing.again} />
      )}
      <Listed
        of={listing}
        fields={<OfMerchant statuses={SETTLEMENT_STATUSES} />}
        caption="Settlements"
        keyOf={row => row.settlementId}
        columns={COLUMNS}
      />
    </>
  );
}
