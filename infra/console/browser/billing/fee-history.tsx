import { useEffect, useRef, useState } from 'preact/hooks';
import type { FeeChange } from '../../../../contracts/http/billing/history';
import type { FeeResult } from '../../../../contracts/http/billing/responses';
import { ActionButton } from '../elements/action-button';
import { toSecond } from '../elements/instant';
import { Problem } from '../elements/problem';
import { Table } from '../elements/table';
import { useRead } from '../elements/use-read';
import { linkTo } from '../route';
import { read, recordFee } from './admin';
import { Outcome } from './outcome';

const COLUMNS = [
  { title: 'Event', show: (change: FeeChange) => change.event },
  { title: 'At', isDate: true, show: (change: FeeChange) => toSecond(change.at) },
  { title: 'By', show: (change: FeeChange) => change.by ?? '' },
  { title: 'Status since', show: (change: FeeChange) => change.collection_status },
  { title: 'Position', isAmount: true, show: (change: FeeChange) => change.position },
];

const CHANGES = [
  { action: 'collect', label: 'Collect' },
  { action: 'waive', label: 'Waive', question: 'Waive this fee?' },
  { action: 'reverse', label: 'Reverse', question: 'Reverse this fee?' },
] as const;

interface FeeHistoryProps {
  /** Of the fee. */
  readonly id: string;
  /** The ledger has changed. */
  changed(): void;
  close(): void;
}

/** What has happened to one fee, and what can be done with it. */
export function FeeHistory({ id, changed, close }: FeeHistoryProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // It is above the table in which it was chosen, and may be out of sight.
  useEffect(() => heading.current?.focus(), []);
  const [outcome, setOutcome] = useState<FeeResult | null>(null);
  const { value, error, again } = useRead(
    () => read<'get_fee_history'>({ action: 'get_fee_history', feeId: id }),
    [id],
  );
  return (
    <section aria-labelledby="fee-history">
      <h3 id="fee-history" ref={heading} tabIndex={-1}>
        Fee <code>{id}</code>
      </h3>
      <Problem error={error} />
      {value && (
        <>
          {value.invoiceId !== null && (
            <p>
              On the invoice <a href={linkTo('billing', 'invoices', value.invoiceId)}>{value.invoiceId}</a>
            </p>
          )}
          <Table
            caption="What has happened"
            rows={value.history}
            keyOf={({ position }) => String(position)}
            columns={COLUMNS}
          />
          <div class="actions">
            {CHANGES.map(({ action, ...button }) => (
              <ActionButton
                key={action}
                {...button}
                send={key => recordFee({ action, id: value.feeId }, key)}
                done={result => {
                  setOutcome(result);
                  again();
                  changed();
                }}
              />
            ))}
            <button type="button" onClick={close}>
              Close
            </button>
          </div>
          <Outcome of={outcome} />
        </>
      )}
    </section>
  );
}
