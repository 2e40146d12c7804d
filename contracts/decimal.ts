const DECIMAL = /^0*(\d+?)(?:\.(\d*?)0*)?$/;

/**
 * An unsigned decimal without needless zeros: `5` for `5.00`, `0.5` for `00.50`. Amounts of currencies, in whole units.
 * @param maxDigits before and after the point each
 * @returns null for another text
 */
export function canonicalDecimal(text: string, maxDigits = 40): string | null {
  // Bounds the work of the pattern.
  if (text.length > 2 * maxDigits + 1 || !/^\d+(?:\.\d+)?$/.test(text)) return null;
  const [, whole = '', fraction = ''] = DECIMAL.exec(text)!;
  if (whole.length > maxDigits || fraction.length > maxDigits) return null;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Digits after the point of a canonical decimal. */
export function decimalPlaces(decimal: string): number {
  return decimal.split('.')[1]?.length ?? 0;
}
