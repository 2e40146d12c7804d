import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly title: string;
  /** Amounts and counts are aligned at their end. */
  readonly isAmount?: boolean;
  /** Dates and months are not broken. */
  readonly isDate?: boolean;
  show(row: Row): ComponentChildren;
}

interface TableProps<Row> {
  /** What is listed. */
  readonly caption: string;
  /** A heading above it says the same: it is left to screen readers. */
  readonly isCaptionHidden?: boolean;
  /** How many there are in all, where these are a page of them. */
  readonly total?: number;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
}

/** A table; on a narrow screen each row is a block whose cells have the titles of their columns. */
export function Table<Row>({ caption, isCaptionHidden, total, columns, rows, keyOf }: TableProps<Row>) {
  if (rows.length === 0) return <p class="muted">{caption}: none</p>;
  return (
    <table>
      <caption class={isCaptionHidden ? 'unseen' : 'muted'}>
        {total === undefined ? caption : `${caption}: ${total}`}
      </caption>
      <thead>
        <tr>
          {columns.map(({ title, isAmount }) => (
            <th key={title} scope="col" class={isAmount ? 'amount' : ''}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, isAmount, isDate, show }) => (
              <td key={title} data-label={title} class={isAmount ? 'amount' : isDate ? 'date' : ''}>
                {show(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
