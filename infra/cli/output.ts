/** Prints a result: JSON for programs, else the lines for people. The only place of the commands that writes to stdout. */
export function print(result: unknown, lines: readonly string[], options: { readonly json: boolean }): void {
  process.stdout.write(
    options.json ? `${JSON.stringify(result)}\n` : lines.map(line => `${line}\n`).join(''),
  );
}

/** Rows as columns of equal width, the first row being the head. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
