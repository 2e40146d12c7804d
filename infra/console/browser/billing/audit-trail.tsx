import { useState } from 'preact/hooks';
import type { RequestOf } from '../../../../contracts/http/billing/actions';
import type { AuditPage } from '../../../../contracts/http/billing/history';
import { Field, Form, type Values } from '../elements/form';
import { toSecond } from '../elements/instant';
import { Table } from '../elements/table';
import { useRead } from '../elements/use-read';
import { read } from './admin';
import { PAGE_SIZE } from './values';

type AuditLine = AuditPage['rows'][number];

const COLUMNS = [
  { title: 'At', isDate: true, show: (row: AuditLine) => toSecond(row.at) },
  { title: 'Action', show: (row: AuditLine) => row.action ?? '' },
  { title: 'By', show: (row: AuditLine) => row.actor ?? '' },
  { title: 'From', show: (row: AuditLine) => ('address' in row ? (row.address ?? '') : '') },
  {
    title: 'About',
    show: (row: AuditLine) =>
      'about' in row
        ? Object.entries(row.about)
            .map(([name, value]) => `${name} ${value}`)
            .join(', ')
        : '',
  },
  {
    title: 'Outcome',
    show: (row: AuditLine) =>
      [row.kind === 'counted' ? timesOf(row.count) : row.outcome, row.code].filter(Boolean).join(': '),
  },
];

const timesOf = (count: number): string => (count === 1 ? 'once' : `${count} times`);

const today = (): string => new Date().toISOString().slice(0, 10);

interface Shown {
  readonly filter: Omit<RequestOf<'list_audit_trail'>, 'action' | 'pageSize'>;
}

/** Who has done what, oldest first. */
export function AuditTrail() {
  const [{ filter }, show] = useState<Shown>({ filter: { dateFrom: today(), dateTo: today() } });
  const { value, error, isReading } = useRead(
    () => read<'list_audit_trail'>({ action: 'list_audit_trail', ...filter, pageSize: PAGE_SIZE }),
    [filter],
  );
  return (
    <>
      <Form
        submit="Show"
        error={error}
        isRunning={isReading}
        send={(values: Values) => show({ filter: { dateFrom: '', dateTo: '', ...values } })}
      >
        <Field name="dateFrom" label="From (UTC)" type="date" value={filter.dateFrom} isRequired />
        <Field name="dateTo" label="To (UTC)" type="date" value={filter.dateTo} isRequired />
        <Field name="actor" label="By" />
        <Field name="auditedAction" label="Action" />
      </Form>
      {!error && value && (
        <>
          <Table
            caption="Lines, oldest first"
            rows={value.rows}
            keyOf={row => `${row.kind} ${row.at} ${'requestId' in row ? row.requestId : row.code}`}
            columns={COLUMNS}
          />
          {value.cursor !== undefined && (
            <button type="button" onClick={() => show({ filter: { ...filter, cursor: value.cursor } })}>
              Next page
            </button>
          )}
        </>
      )}
    </>
  );
}
