import type { Invoice } from '../../../../contracts/http/billing/responses';
import { Facts } from '../elements/facts';
import { Table } from '../elements/table';

type Content = Pick<
  Invoice,
  | 'billingPeriod'
  | 'currency'
  | 'feeCount'
  | 'totalFee'
  | 'totalGross'
  | 'periodStart'
  | 'periodEnd'
  | 'timeZone'
>;
type Line = Invoice['lines'][number];

export function InvoiceSums({ of }: { readonly of: Content }) {
  return (
    <Facts
      of={[
        ['Month', `${of.billingPeriod}: ${of.periodStart} to ${of.periodEnd} (${of.timeZone})`],
        ['Fees', of.feeCount],
        ['Total', `${of.totalFee} ${of.currency}`],
        ['Gross', `${of.totalGross} ${of.currency}`],
      ]}
    />
  );
}

const COLUMNS = [
  { title: 'Merchant', show: (line: Line) => `${line.merchantName} (${line.merchantSlug})` },
  { title: 'Fee', show: (line: Line) => line.feeType },
  { title: 'Count', isAmount: true, show: (line: Line) => line.feeCount },
  { title: 'Fees', isAmount: true, show: (line: Line) => line.totalFee },
  { title: 'Gross', isAmount: true, show: (line: Line) => line.totalGross },
];

export function Lines({ of }: { readonly of: readonly Line[] }) {
  return (
    <Table caption="Lines" rows={of} keyOf={line => `${line.merchantId} ${line.feeType}`} columns={COLUMNS} />
  );
}
