import { useState } from 'preact/hooks';
import type { ShownRebateRule } from '../../../../contracts/http/billing/merchants';
import { Form, TextArea } from '../elements/form';
import { toSecond } from '../elements/instant';
import { Problem } from '../elements/problem';
import { Table } from '../elements/table';
import { useCommand } from '../elements/use-command';
import { useRead } from '../elements/use-read';
import { command, read } from './admin';
import { byLine, textOf, tiersOf } from './tiers';

type Version = ShownRebateRule['versions'][number];

const COLUMNS = [
  { title: 'Version', show: (row: Version) => row.version },
  {
    title: 'Tiers',
    show: (row: Version) => row.tiers.map(({ from, rate }) => `${rate} from ${from}`).join(', '),
  },
  { title: 'Set', isDate: true, show: (row: Version) => toSecond(row.setAt) },
  { title: 'By', show: (row: Version) => row.setBy },
];

/** The rule of rebates with its versions, and the next one. */
export function RebateRule() {
  const { value, error, again } = useRead(() => read<'get_rebate_rule'>({ action: 'get_rebate_rule' }), []);
  const [sent, setSent] = useState('');
  const setting = useCommand(
    (text: string, key) =>
      command<'set_rebate_rule'>({ action: 'set_rebate_rule', tiers: tiersOf(text) }, key),
    again,
  );
  const versions = value?.rule?.versions ?? [];
  return (
    <>
      <Problem error={error} />
      {value && (
        <Table
          caption="Rule of rebates"
          rows={[...versions].reverse()}
          keyOf={row => String(row.version)}
          columns={COLUMNS}
        />
      )}
      <details>
        <summary>Set the rule</summary>
        <Form
          submit="Set"
          error={byLine(setting.error, sent)}
          isRunning={setting.isRunning}
          send={({ tiers = '' }) => {
            setSent(tiers);
            void setting.run(tiers);
          }}
        >
          <TextArea
            name="tiers"
            label="Tiers, one a line: the fees of a month from which it counts, and the rate, such as “1000.00 0.05”"
            value={textOf(versions.at(-1)?.tiers ?? [])}
          />
        </Form>
      </details>
    </>
  );
}
