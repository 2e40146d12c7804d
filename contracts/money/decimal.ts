/** On each side of the point. */
const MAX_DIGITS = 40;

/**
 * An unsigned decimal without needless zeros: `5` for `5.00`, `0.5` for `00.50`. Amounts of currencies, in whole units.
 * @param maxDigits before and after the point each
 * @returns null for another text
 */
export function canonicalDecimal(text: string, maxDigits = MAX_DIGITS): string | null {
  if (text.length > 2 * maxDigits + 1 || !/^\d+(?:\.\d+)?$/.test(text)) return null;
  const [digits = '', decimals = ''] = text.split('.');
  const whole = digits.replace(/^0+(?=\d)/, '');
  const fraction = withoutTrailingZeros(decimals);
  if (whole.length > maxDigits || fraction.length > maxDigits) return null;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Digits after the point of a canonical decimal. */
export function decimalPlaces(decimal: string): number {
  return decimal.split('.')[1]?.length ?? 0;
}

const MAX_LENGTH = 200;
/** The numbers of JSON (RFC 8259, section 6), and those with a plus sign, leading zeros or nothing before the point. */
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * A decimal as other systems write it: with a sign, with an exponent (`5E-8`), or with more decimals than are kept.
 * @param decimals at most 40; what is finer is rounded half to even
 * @returns without needless zeros and without `-0`; null for another text, and beyond 40 digits before the point
 */
export function readDecimal(text: string, decimals = MAX_DIGITS): string | null {
  if (text.length > MAX_LENGTH) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === '' && fraction === '') return null;
  const digits = BigInt(whole + fraction);
  const places = fraction.length - Number(exponent);
  const units =
    places > decimals
      ? divideHalfEven(digits, 10n ** BigInt(places - decimals))
      : digits * 10n ** BigInt(decimals - places);
  if (units.toString().length > MAX_DIGITS + decimals) return null;
  return formatUnits(sign === '-' ? -units : units, decimals);
}

const SIGNIFICANT_DIGITS = 18;

/**
 * `a / b` of positive decimals with 18 significant digits at least, rounded half to even.
 * @param a as `readDecimal` returns it, as `b`
 * @returns null when one of them is not positive
 */
export function quotient(a: string, b: string): string | null {
  const places = Math.max(decimalPlaces(a), decimalPlaces(b));
  const [dividend, divisor] = [unitsOf(a, places), unitsOf(b, places)];
  if (dividend <= 0n || divisor <= 0n) return null;
  const magnitude = dividend.toString().length - divisor.toString().length;
  const decimals = Math.max(0, SIGNIFICANT_DIGITS - magnitude);
  return formatUnits(divideHalfEven(dividend * 10n ** BigInt(decimals), divisor), decimals);
}

/** The nearest integer to `dividend / divisor`, of two the even one (IEEE 754-2019, 4.3.1, roundTiesToEven). @param divisor positive */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const whole = dividend / divisor;
  const rest = dividend % divisor;
  const twice = 2n * (rest < 0n ? -rest : rest);
  const isAway = twice > divisor || (twice === divisor && whole % 2n !== 0n);
  return whole + (isAway ? (dividend < 0n ? -1n : 1n) : 0n);
}

function unitsOf(decimal: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** A whole number of smallest units as a decimal of whole ones, exactly, without needless zeros: `-1234500` of 6 is `-1.2345`. */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = withoutTrailingZeros(digits.slice(point));
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
}

/** Looking behind keeps it linear on a text of zeros. */
function withoutTrailingZeros(digits: string): string {
  return digits.replace(/(?<!0)0+$/, '');
}
