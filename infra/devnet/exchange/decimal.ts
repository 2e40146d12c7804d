/** Amounts in integers of a currency's smallest unit, and their decimal text on the wire. */

const DECIMAL = /^(\d{1,30})(?:\.(\d+))?$/;

/** Null when the text is not an unsigned decimal, or has more decimals than the currency. */
export function parseUnits(text: string, decimals: number): bigint | null {
  const [matched, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (matched === undefined || fraction.length > decimals) return null;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** With all decimals, trailing zeros included: `1.00000000`. */
export function paddedUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
