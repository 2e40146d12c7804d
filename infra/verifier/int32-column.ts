import type { Day } from '../../contracts/time/billing-period';

/** One 32-bit integer per event, in a growing typed array. */
export class Int32Column {
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

  /** Index of the first and the last value that satisfies the predicate; null when none does. */
  range(predicate: (value: number) => boolean): { readonly first: number; readonly last: number } | null {
    const values = this.#values.subarray(0, this.#length);
    const first = values.findIndex(predicate);
    return first < 0 ? null : { first, last: values.findLastIndex(predicate) };
  }
}

/** A day as an ordered number, such as 20261130. */
export function dayNumber(day: Day): number {
  return Number(day.slice(0, 4)) * 10_000 + Number(day.slice(5, 7)) * 100 + Number(day.slice(8, 10));
}
