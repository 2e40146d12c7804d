import { divideHalfEven } from './decimal';

/**
 * Exact amounts of the instance's currency. On the wire a decimal string; inside an integer of 10^-18 of the unit,
 * so that sums are exact. No amount is ever a JavaScript number.
 */
export type Amount = bigint;

const MAX_DECIMALS = 18;
const MIN_DECIMALS = 2;

/** The wire form: at most 20 digits before the point and 18 after. */
export const AMOUNT = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?$/;

/** An amount or a sum of amounts, which may have more digits before the point. */
export const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d{1,18})?$/;

/** Parses the wire form of an amount; null when the text is malformed. */
export function parseAmount(text: string): Amount | null {
  return AMOUNT.test(text) ? amountOf(text) : null;
}

/** Parses the output of `formatAmount`, however large the sum. */
export function amountOf(decimal: string): Amount {
  return scaled(decimal, MAX_DECIMALS);
}

/** At least 2 decimals, at most 18, no trailing zeros after the second: `12.50`, `0.00000123`, `0.00`. */
export function formatAmount(amount: Amount): string {
  return format(amount, MAX_DECIMALS);
}

/** The canonical form of an amount (`5` and `5.000` are `5.00`, `-0` is `0.00`); null when the text is malformed. */
export function canonicalAmount(text: string): string | null {
  const amount = parseAmount(text);
  return amount === null ? null : formatAmount(amount);
}

export const ZERO = '0.00';

/** `a + b` of decimals in the wire form, exact; the result in canonical form. */
export function add(a: string, b: string): string {
  const decimals = commonDecimals(a, b);
  return format(scaled(a, decimals) + scaled(b, decimals), decimals);
}

/** `a - b` of decimals in the wire form, exact; the result in canonical form. */
export function subtract(a: string, b: string): string {
  const decimals = commonDecimals(a, b);
  return format(scaled(a, decimals) - scaled(b, decimals), decimals);
}

/**
 * `a × b` with the given number of decimals, rounded half to even. The product of two amounts is a whole number of 10^-36, so
 * that it is rounded only once.
 * @param decimals 0 to 18
 */
export function product(a: string, b: string, decimals: number): string {
  const step = 10n ** BigInt(2 * MAX_DECIMALS - decimals);
  const rounded = divideHalfEven(amountOf(a) * amountOf(b), step);
  return formatAmount(rounded * 10n ** BigInt(MAX_DECIMALS - decimals));
}

const magnitude = (integer: bigint): bigint => (integer < 0n ? -integer : integer);

/** The exact sum of decimals in the wire form; `0.00` of none. */
export function sum(decimals: Iterable<string>): string {
  const total = new Sum();
  for (const decimal of decimals) total.add(decimal);
  return total.toString();
}

/** A running sum, formatted once. Like `add`, it uses as few decimals as its terms need. */
export class Sum {
  private integer = 0n;
  private decimals = MIN_DECIMALS;

  add(decimal: string): void {
    this.refine(decimal);
    this.integer += scaled(decimal, this.decimals);
  }

  subtract(decimal: string): void {
    this.refine(decimal);
    this.integer -= scaled(decimal, this.decimals);
  }

  toString(): string {
    return format(this.integer, this.decimals);
  }

  /** Scales the sum so far to the decimals of the next term. */
  private refine(decimal: string): void {
    const decimals = decimalsOf(decimal);
    if (decimals <= this.decimals) return;
    this.integer *= 10n ** BigInt(decimals - this.decimals);
    this.decimals = decimals;
  }
}

/** Most amounts have two decimals, and small integers are several times faster than those of 10^-18. */
const commonDecimals = (a: string, b: string): number => Math.max(MIN_DECIMALS, decimalsOf(a), decimalsOf(b));

function decimalsOf(decimal: string): number {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
}

function scaled(decimal: string, decimals: number): bigint {
  const point = decimal.indexOf('.');
  return point < 0
    ? BigInt(decimal + '0'.repeat(decimals))
    : BigInt(decimal.slice(0, point) + decimal.slice(point + 1).padEnd(decimals, '0'));
}

const DIGIT_ZERO = 0x30;

function format(integer: bigint, decimals: number): string {
  const negative = integer < 0n;
  const digits = magnitude(integer)
    .toString()
    .padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point + MIN_DECIMALS && digits.charCodeAt(end - 1) === DIGIT_ZERO) end--;
  return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point, end)}`;
}
