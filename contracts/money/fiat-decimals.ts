// ISO 4217, list one: the minor units of the currencies that do not have two.
const WITHOUT = [
  'BIF',
  'CLP',
  'DJF',
  'GNF',
  'ISK',
  'JPY',
  'KMF',
  'KRW',
  'PYG',
  'RWF',
  'UGX',
  'UYI',
  'VND',
  'VUV',
];
const OTHERS: Readonly<Record<string, number>> = {
  ...Object.fromEntries([...WITHOUT, 'XAF', 'XOF', 'XPF'].map(currency => [currency, 0])),
  ...Object.fromEntries(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map(currency => [currency, 3])),
  CLF: 4,
  UYW: 4,
};

/** Decimals of a currency of ISO 4217, by its code in capitals. */
export function fiatDecimals(currency: string): number {
  return Object.hasOwn(OTHERS, currency) ? OTHERS[currency]! : 2;
}

/** An amount of the smallest unit in whole units, with all decimals of the currency: `12.50`, `400` of JPY. */
export function formatFiat(minor: bigint, currency: string): string {
  const decimals = fiatDecimals(currency);
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  const sign = minor < 0n ? '-' : '';
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
