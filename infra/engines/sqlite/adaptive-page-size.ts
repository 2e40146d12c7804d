/** Rows of the first page, and about the bytes of a later one. */
const DEFAULTS = { initialRows: 128, targetBytes: 4 * 1024 * 1024 };

/** How many rows to read next: grows from page to page while the content of a page stays within bounds. */
export class AdaptivePageSize {
  next: number;
  constructor(
    private readonly maxRows: number,
    private readonly options = DEFAULTS,
  ) {
    this.next = Math.min(options.initialRows, maxRows);
  }

  /** @param size of a row's content, in bytes or characters */
  update<Row>(rows: readonly Row[], size: (row: Row) => number): void {
    if (rows.length === 0) return;
    const sum = rows.reduce((total, row) => total + size(row), 0);
    this.next = Math.max(
      1,
      Math.min(this.maxRows, this.next * 4, Math.floor((this.options.targetBytes * rows.length) / (sum + 1))),
    );
  }
}
