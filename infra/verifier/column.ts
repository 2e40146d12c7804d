/** A number for each event, in the order of events: four bytes each, however many there are. */
export class Column {
  #values = new Int32Array(1 << 16);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Int32Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  /** The first event and the last one of which it holds; null when it does of none. */
  ends(holds: (value: number) => boolean): { readonly first: number; readonly last: number } | null {
    const values = this.#values.subarray(0, this.#length);
    const first = values.findIndex(holds);
    return first < 0 ? null : { first, last: values.findLastIndex(holds) };
  }
}

/** The day of an instant (RFC 3339, UTC) as a number that grows with it: 20261130. */
export function dayOf(instant: string): number {
  return (
    Number(instant.slice(0, 4)) * 10_000 + Number(instant.slice(5, 7)) * 100 + Number(instant.slice(8, 10))
  );
}
