const FIRST = 128;
const TARGET = 4 * 1024 * 1024;

/** How many rows to ask for next: grows from page to page while the content of a page stays within about 4 MiB. */
export class PageSize {
  next: number;
  constructor(private readonly most: number) {
    this.next = Math.min(FIRST, most);
  }

  /** @param size of a row's content, in bytes or characters */
  saw<Row>(rows: readonly Row[], size: (row: Row) => number): void {
    if (rows.length === 0) return;
    const sum = rows.reduce((total, row) => total + size(row), 0);
    this.next = Math.max(
      1,
      Math.min(this.most, this.next * 4, Math.floor((TARGET * rows.length) / (sum + 1))),
    );
  }
}
