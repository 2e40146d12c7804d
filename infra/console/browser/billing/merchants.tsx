import { useState } from 'preact/hooks';
import type { NamedMerchant } from '../../../../contracts/http/billing/merchants';
import { Field, Form, type Values } from '../elements/form';
import { toSecond } from '../elements/instant';
import { Problem } from '../elements/problem';
import { Table } from '../elements/table';
import { useCommand } from '../elements/use-command';
import { useRead } from '../elements/use-read';
import { command, read } from './admin';
import { PAGE_SIZE } from './values';

const COLUMNS = [
  { title: 'Id', show: (row: NamedMerchant) => <code>{row.merchantId}</code> },
  { title: 'Name', show: (row: NamedMerchant) => row.name },
  { title: 'Slug', show: (row: NamedMerchant) => row.slug },
  { title: 'Set', isDate: true, show: (row: NamedMerchant) => toSecond(row.setAt) },
  { title: 'By', show: (row: NamedMerchant) => row.setBy },
];

/** The names of merchants. */
export function Merchants() {
  const [after, setAfter] = useState<string | null>(null);
  const { value, error, again } = useRead(
    () =>
      read<'list_merchants'>({
        action: 'list_merchants',
        pageSize: PAGE_SIZE,
        ...(after !== null && { after }),
      }),
    [after],
  );
  return (
    <>
      <SetMerchant done={again} />
      <Problem error={error} />
      {value && (
        <>
          <Table
            caption="Named merchants"
            rows={value.merchants}
            keyOf={row => row.merchantId}
            columns={COLUMNS}
          />
          <div class="actions">
            {after !== null && (
              <button type="button" onClick={() => setAfter(null)}>
                First page
              </button>
            )}
            {value.next !== null && (
              <button type="button" onClick={() => setAfter(value.next)}>
                Next page
              </button>
            )}
          </div>
        </>
      )}
    </>
  );
}

function SetMerchant({ done }: { done(): void }) {
  const { run, error, isRunning } = useCommand(
    ({ merchantId = '', name = '', slug }: Values, key) =>
      command<'set_merchant'>(
        { action: 'set_merchant', merchantId, name, ...(slug !== undefined && { slug }) },
        key,
      ),
    done,
  );
  return (
    <fieldset>
      <legend>Name a merchant</legend>
      <Form submit="Set" error={error} isRunning={isRunning} send={run}>
        <Field name="merchantId" label="Id" isRequired />
        <Field name="name" label="Name" isRequired />
        <Field name="slug" label="Slug (required the first time)" />
      </Form>
    </fieldset>
  );
}
