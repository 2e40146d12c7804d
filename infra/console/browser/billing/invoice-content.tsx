import type { Invoice } from '../../../../contracts/http/billing/responses';
import { Facts } from '../elements/facts';
import { Table } from '../elements/table';
import { merchantColumn } from './of-merchant';

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
        ['Count', of.feeCount],
        ['Fees', `${of.totalFee} ${of.currency}`],
        ['Gross', `${of.totalGross} ${of.currency}`],
      ]}
    />
  );
}

const columnsIn = (currency: string) => [
  merchantColumn((line: Line) => ({ name: line.merchantName, id: line.merchantId })),
  { title: 'Kind', show: (line: Line) => line.feeType },
  { title: 'Count', isAmount: true, show: (line: Line) => line.feeCount },
  { title: 'Fees', isAmount: true, show: (line: Line) => `${line.totalFee} ${currency}` },
  { title: 'Gross', isAmount: true, show: (line: Line) => `${line.totalGross} ${currency}` },
];

interface LinesProps {
  readonly of: readonly Line[];
  readonly currency: string;
}

export function Lines({ of, currency }: LinesProps) {
  return (
    <Table
      caption="Lines"
      rows={of}
      keyOf={line => `${line.merchantId} ${line.feeType}`}
      columns={columnsIn(currency)}
    />
  );
}
