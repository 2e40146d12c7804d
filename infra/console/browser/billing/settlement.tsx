import type { Settlement as SettlementView } from '../../../../contracts/http/billing/settlements';
import { Facts } from '../elements/facts';
import { Field, Form, type Values } from '../elements/form';
import { toSecond } from '../elements/instant';
import { Problem } from '../elements/problem';
import { Table } from '../elements/table';
import { useCommand } from '../elements/use-command';
import { useRead } from '../elements/use-read';
import { linkTo } from '../route';
import { command, read } from './admin';
import { Documents } from './documents';

type Line = SettlementView['lines'][number];

const linesIn = (currency: string) => [
  { title: 'Month', isDate: true, show: (line: Line) => line.billingPeriod },
  { title: 'Count', isAmount: true, show: (line: Line) => line.feeCount },
  { title: 'Gross', isAmount: true, show: (line: Line) => `${line.grossCollected} ${currency}` },
  { title: 'Fees', isAmount: true, show: (line: Line) => `${line.feesCollected} ${currency}` },
];

/** One settlement: what it is made of, and what can be done with it. */
export function Settlement({ settlementId }: { readonly settlementId: string }) {
  const { value, error, again } = useRead(
    () => read<'get_settlement'>({ action: 'get_settlement', settlementId }),
    [settlementId],
  );
  const settlement = value?.settlement;
  return (
    <>
      <Problem error={error} />
      {settlement && (
        <>
          <h3>
            {settlement.billingPeriod}: {settlement.merchantName}
          </h3>
          <Facts of={factsOf(settlement)} />
          <Table
            caption="Months"
            rows={settlement.lines}
            keyOf={line => line.billingPeriod}
            columns={linesIn(settlement.currency)}
          />
          <div class="actions">
            <Documents
              name={`settlement-${settlement.billingPeriod}-${settlement.merchantId}`}
              of={format => ({ action: 'export_settlement', settlementId, format })}
            />
          </div>
          {settlement.status === 'pending' && <MarkPaid settlementId={settlementId} done={again} />}
          {settlement.status !== 'void' && <VoidSettlement settlementId={settlementId} done={again} />}
        </>
      )}
    </>
  );
}

const factsOf = (of: SettlementView) =>
  [
    ['Status', of.status],
    ['Id', <code>{of.settlementId}</code>],
    ['Gross collected', `${of.grossCollected} ${of.currency}`],
    ['Fees collected', `${of.feesCollected} ${of.currency}`],
    ['Rebate', `${of.rebateApplied} ${of.currency}`],
    ['Carried in', `${of.carriedIn} ${of.currency}`],
    ['Net', <strong>{`${of.netAmount} ${of.currency}`}</strong>],
    [
      'Carried from',
      of.carriedFrom.length > 0
        ? of.carriedFrom.map(id => (
            <a key={id} href={linkTo('billing', 'settlements', id)}>
              {id}{' '}
            </a>
          ))
        : null,
    ],
    ['Created', `${toSecond(of.createdAt)} by ${of.createdBy}`],
    ['Paid', of.paidAt && `${toSecond(of.paidAt)}, recorded by ${of.paidBy ?? 'nobody'}`],
    ['Reference', of.referenceErased ? 'erased' : of.reference],
    ['Voided', of.voidedAt && `${toSecond(of.voidedAt)} by ${of.voidedBy ?? 'nobody'}`],
    ['Reason', of.voidReasonErased ? 'erased' : of.voidReason],
  ] as const;

interface ChangeProps {
  readonly settlementId: string;
  done(): void;
}

function MarkPaid({ settlementId, done }: ChangeProps) {
  const { run, error, isRunning } = useCommand(
    (values: Values, key) =>
      command<'mark_settlement_paid'>({ action: 'mark_settlement_paid', settlementId, ...values }, key),
    done,
  );
  return (
    <fieldset>
      <legend>Paid</legend>
      <Form submit="Mark as paid" error={error} isRunning={isRunning} send={run}>
        <Field name="reference" label="Reference of the payment" isWide />
        <Field name="paidAt" label="Paid at, such as 2026-11-20T12:00:00Z" hint="now" />
      </Form>
    </fieldset>
  );
}

function VoidSettlement({ settlementId, done }: ChangeProps) {
  const { run, error, isRunning } = useCommand(
    (reason: string, key) =>
      command<'void_settlement'>({ action: 'void_settlement', settlementId, reason }, key),
    done,
  );
  return (
    <details>
      <summary>Void it</summary>
      <Form
        submit="Void for good"
        error={error}
        isRunning={isRunning}
        send={({ reason = '' }) => run(reason)}
      >
        <Field name="reason" label="Reason" isRequired isWide />
      </Form>
    </details>
  );
}
