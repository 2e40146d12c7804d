import { currencies, currencyOf, type Currency } from './currencies';
import { formatUnits } from '../../../contracts/money/decimal';
import { parseUnits } from './decimal';
import { limitsOf, type Limits, type RateType } from './quote';
import { RpcError } from '../json-rpc-error';
import { invalidCurrency, invalidParameter } from './rpc-error';

export interface Pair {
  readonly from: Currency;
  readonly to: Currency;
}

const isPayin = (currency: Currency): boolean => currency.enabled && currency.enabledFrom;
const isPayout = (currency: Currency): boolean => currency.enabled && currency.enabledTo;

export function pairs(type: RateType | undefined): readonly Pair[] {
  const listed = currencies().filter(currency => type !== 'fixed' || currency.fixRateEnabled);
  return listed
    .filter(isPayin)
    .flatMap(from => listed.filter(to => to !== from && isPayout(to)).map(to => ({ from, to })));
}

/** @throws RpcError */
export function knownCurrency(ticker: string): Currency {
  const currency = currencyOf(ticker);
  if (!currency) throw invalidCurrency(`${ticker} not found`);
  return currency;
}

/** @throws RpcError when the currencies cannot be exchanged */
export function pairOf(fromTicker: string, toTicker: string, type: RateType): Pair {
  const from = knownCurrency(fromTicker);
  const to = knownCurrency(toTicker);
  for (const { ticker, enabled, fixRateEnabled } of [from, to]) {
    if (!enabled) throw invalidCurrency(`${ticker} temporary disabled`);
    if (type === 'fixed' && !fixRateEnabled)
      throw invalidCurrency(`${ticker} temporary disabled for fix rate transactions`);
  }
  if (!from.enabledFrom)
    throw invalidCurrency(`${from.ticker} is temporary disabled on API as input currency`);
  if (!to.enabledTo) throw invalidCurrency(`${to.ticker} is temporary disabled on API as output currency`);
  if (from === to) throw invalidParameter('to');
  return { from, to };
}

/** @throws RpcError when it is no amount of the currency */
export function amountIn(currency: Currency, name: string, amount: string): bigint {
  const units = parseUnits(amount, currency.decimals);
  if (units === null) throw invalidParameter(name);
  return units;
}

const formatted = ({ from, to }: Pair, { min, max }: Limits) => ({
  max: {
    from: formatUnits(max.amountFrom, from.decimals),
    to: formatUnits(max.amountTo, to.decimals),
  },
  min: {
    from: formatUnits(min.amountFrom, from.decimals),
    to: formatUnits(min.amountTo, to.decimals),
  },
});

export interface Bounded {
  readonly pair: Pair;
  readonly type: RateType;
  readonly side: 'from' | 'to';
  readonly units: bigint;
  /** Whether an error carries the limits, or its message alone. */
  readonly limitsInErrors: boolean;
}

/** The text form of the limits. @throws RpcError when the amount is outside */
export function withinLimits({ pair, type, side, units, limitsInErrors }: Bounded) {
  const limits = limitsOf(pair.from, pair.to, type);
  const texts = formatted(pair, limits);
  const amount = side === 'from' ? 'amountFrom' : 'amountTo';
  const refuse = (word: 'Minimal' | 'Maximum', bound: string): RpcError => {
    const { from, to } = pair;
    const message = `Invalid amount for pair ${from.ticker}->${to.ticker}. ${word} amount is ${bound} ${pair[side].ticker}`;
    return new RpcError(-32600, message, limitsInErrors ? { limits: texts } : undefined);
  };
  if (units < limits.min[amount]) throw refuse('Minimal', texts.min[side]);
  if (units > limits.max[amount]) throw refuse('Maximum', texts.max[side]);
  return texts;
}
