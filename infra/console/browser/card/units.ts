/** @param units an integer of the smallest unit @returns the amount in whole units: `12.5` */
export function wholeUnits(units: string, decimals: number): string {
  const sign = units.startsWith('-') ? '-' : '';
  const digits = units.replace('-', '').padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = withoutLastZeros(digits.slice(digits.length - decimals));
  return sign + whole + (fraction === '' ? '' : `.${fraction}`);
}

function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/**
 * @param amount as somebody types it, in whole units: `12.5`
 * @returns the integer of the smallest unit; what is no such amount as it is, for the program to refuse
 */
export function smallestUnits(amount: string, decimals: number): string {
  const parts = /^(\d+)(?:\.(\d*))?$/.exec(amount);
  const fraction = parts?.[2] ?? '';
  if (!parts || fraction.length > decimals) return amount;
  const units = parts[1] + fraction.padEnd(decimals, '0');
  return units.replace(/^0+(?=\d)/, '');
}

/** Of a currency by ISO 4217: 2 of the dollar, none of the yen. */
export function decimalsOfCurrency(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}
