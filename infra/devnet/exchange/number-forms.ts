/** How the numbers of an order are written. The API documents texts, and neither their form nor how many digits they have. */
export type NumberForm = 'exponents' | 'json-numbers' | 'many-decimals' | 'negative-fees';

const AMOUNTS: readonly string[] = [
  'amountExpectedFrom',
  'amountExpectedTo',
  'amountFrom',
  'amountTo',
  'networkFee',
  'rate',
  'changellyFee',
  'apiExtraFee',
  'totalFee',
];
const FEES: readonly string[] = ['changellyFee', 'totalFee'];
/** One more than clients keep. */
const MANY_DECIMALS = 41;

/** The view of an order with its numbers in another form. */
export function inNumberForm<View extends object>(view: View, form: NumberForm | undefined): View {
  if (!form) return view;
  const members = Object.entries(view).map(([name, value]) => {
    const isNumber = AMOUNTS.includes(name) && typeof value === 'string' && /\d/.test(value);
    return [name, isNumber ? written(name, value, form) : (value as unknown)];
  });
  return Object.fromEntries(members) as View;
}

function written(name: string, decimal: string, form: NumberForm): string | number {
  const [whole = '', fraction = ''] = decimal.split('.');
  switch (form) {
    case 'exponents':
      return `${BigInt(whole + fraction)}E-${fraction.length}`;
    case 'json-numbers':
      return Number(decimal);
    case 'many-decimals':
      return `${whole}.${fraction.padEnd(MANY_DECIMALS - 1, '0')}1`;
    case 'negative-fees':
      return FEES.includes(name) ? `-${decimal}` : decimal;
  }
}
