import { amountOf, type Amount } from '../../../contracts/money/money';
import type { FeeRequest } from '../../../contracts/http/billing/fees';

/** What is recorded as it is, and may be a mistake. */
export interface ImportWarning {
  readonly warning: 'dated_in_the_future' | 'fee_exceeds_gross';
  readonly rows: number;
  /** The first of them, counted from 1. */
  readonly lines: readonly number[];
}

const MAX_LINES = 10;

/** Counts rows that may be mistakes. */
export class ImportWarnings {
  readonly #found = new Map<ImportWarning['warning'], { rows: number; lines: number[] }>();

  /** @param now RFC 3339 UTC instant with milliseconds */
  add(line: number, request: FeeRequest, now: string): void {
    if (!('fee_amount' in request)) return;
    const { created_at, fee_amount, gross_amount } = request;
    if (created_at !== undefined && created_at > now) this.#count('dated_in_the_future', line);
    if (magnitude(fee_amount) > magnitude(gross_amount)) this.#count('fee_exceeds_gross', line);
  }

  #count(warning: ImportWarning['warning'], line: number): void {
    const found = this.#found.get(warning) ?? { rows: 0, lines: [] };
    this.#found.set(warning, found);
    found.rows++;
    if (found.lines.length < MAX_LINES) found.lines.push(line);
  }

  all(): ImportWarning[] {
    return [...this.#found].map(([warning, found]) => ({ warning, ...found }));
  }
}

/** Corrections are negative. */
function magnitude(decimal: string): Amount {
  const amount = amountOf(decimal);
  return amount < 0n ? -amount : amount;
}
