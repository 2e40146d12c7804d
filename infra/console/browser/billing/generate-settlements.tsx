import { useState } from 'preact/hooks';
import type { SettlementPreview } from '../../../../contracts/http/billing/settlements';
import { Field, Form, type Values } from '../elements/form';
import { Table } from '../elements/table';
import { useCommand } from '../elements/use-command';
import { command, read } from './admin';

const COLUMNS = [
  { title: 'Merchant', show: (row: SettlementPreview) => `${row.merchantName} (${row.merchantId})` },
  { title: 'Gross', isAmount: true, show: (row: SettlementPreview) => row.grossCollected },
  { title: 'Fees', isAmount: true, show: (row: SettlementPreview) => `${row.feesCollected} ${row.currency}` },
  { title: 'Rebate', isAmount: true, show: (row: SettlementPreview) => row.rebateApplied },
  { title: 'Carried in', isAmount: true, show: (row: SettlementPreview) => row.carriedIn },
  { title: 'Net', isAmount: true, show: (row: SettlementPreview) => `${row.netAmount} ${row.currency}` },
];

interface Shown {
  readonly chosen: Chosen;
  readonly previews: readonly SettlementPreview[];
}

interface Chosen {
  readonly billingPeriod: string;
  readonly merchantId?: string;
}

interface GenerateSettlementsProps {
  /** Which is proposed. */
  readonly month: string;
  generated(): void;
}

/** Shows what the settlements of a month would be, and makes them. */
export function GenerateSettlements({ month, generated }: GenerateSettlementsProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  const previewing = useCommand(previewOf, setShown);
  const generating = useCommand(
    (chosen: Chosen, key) =>
      command<'generate_settlement'>({ action: 'generate_settlement', ...chosen }, key),
    () => {
      setShown(null);
      generated();
    },
  );
  return (
    <fieldset>
      <legend>New settlements</legend>
      <Form
        submit="Preview"
        error={previewing.error}
        isRunning={previewing.isRunning}
        send={({ billingPeriod = '', ...merchant }: Values) => {
          setShown(null);
          void previewing.run({ billingPeriod, ...merchant });
        }}
      >
        <Field name="billingPeriod" label="Month to settle" type="month" value={month} isRequired />
        <Field name="merchantId" label="Id of the merchant to settle with" hint="all" />
      </Form>
      {shown && (
        <>
          <Table caption="Preview" rows={shown.previews} keyOf={row => row.merchantId} columns={COLUMNS} />
          <Form
            submit={`Settle ${shown.chosen.billingPeriod}`}
            error={generating.error}
            isRunning={generating.isRunning}
            send={() => generating.run(shown.chosen)}
          />
        </>
      )}
    </fieldset>
  );
}

async function previewOf(chosen: Chosen): Promise<Shown> {
  const { previews } = await read<'preview_settlement'>({ action: 'preview_settlement', ...chosen });
  return { chosen, previews };
}
