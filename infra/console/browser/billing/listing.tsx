import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Form } from '../elements/form';
import { Pager } from '../elements/pager';
import { Table, type Column } from '../elements/table';
import { useRead, type Reading } from '../elements/use-read';
import { PAGE_SIZE } from './values';

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** A list that is read a page at a time, as a filter selects it. */
export interface Listing<Filter, Row> extends Reading<Page<Row>> {
  readonly filter: Filter;
  readonly page: number;
  show(filter: Filter, page: number): void;
}

export function useListing<Filter extends object, Row>(
  load: (query: Filter & { page: number; pageSize: number }) => Promise<Page<Row>>,
): Listing<Filter, Row> {
  const [{ filter, page }, setShown] = useState({ filter: {} as Filter, page: 1 });
  const reading = useRead(() => load({ ...filter, page, pageSize: PAGE_SIZE }), [filter, page]);
  return { ...reading, filter, page, show: (of, at) => setShown({ filter: of, page: at }) };
}

interface ListedProps<Filter, Row> {
  readonly of: Listing<Filter, Row>;
  /** Fields of the filter. */
  readonly fields: ComponentChildren;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  keyOf(row: Row): string;
  /** Above the rows. */
  readonly children?: ComponentChildren;
}

/** The filter of a list, and a page of what it selects. */
export function Listed<Filter, Row>({ of, fields, children, ...table }: ListedProps<Filter, Row>) {
  const { value, error, isReading, filter, page, show } = of;
  return (
    <>
      <Form submit="Show" error={error} isRunning={isReading} send={values => show(values as Filter, 1)}>
        {fields}
      </Form>
      {!error && value && (
        <>
          {children}
          <Table {...table} total={value.total} rows={value.rows} />
          <Pager page={page} pageSize={PAGE_SIZE} total={value.total} go={to => show(filter, to)} />
        </>
      )}
    </>
  );
}
