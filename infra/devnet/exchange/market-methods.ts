import type { z } from 'zod';
import { RpcError } from '../json-rpc-error';
import { isAddress } from './addresses';
import { currencies, type Currency } from './currencies';
import { formatUnits } from '../../../contracts/money/decimal';
import { paddedUnits } from './decimal';
import { oneAmount, type Method, type MethodsOptions } from './method';
import { amountIn, knownCurrency, pairOf, pairs, withinLimits, type Pair } from './pairs';
import { PARAMS, checkParams } from './params';
import { limitsOf, quoteFrom, quoteTo, rateOf, type Quote } from './quote';
import { FIXED_PAYMENT_SECONDS } from './scenarios';

/** The methods about currencies, pairs and amounts. */
export function marketMethods({ rates, limitsInErrors }: Pick<MethodsOptions, 'rates' | 'limitsInErrors'>) {
  const estimate = (given: Single<z.output<typeof PARAMS.exchangeAmount>>): EstimateView => {
    const pair = pairOf(given.from, given.to, 'float');
    const units = amountIn(pair.from, 'amountFrom', given.amountFrom);
    const limits = withinLimits({ pair, type: 'float', side: 'from', units, limitsInErrors });
    return estimateView(pair, quoteFrom(pair.from, pair.to, units), limits);
  };

  const fixRate = (given: Single<z.output<typeof PARAMS.fixRate>>): FixedRateView => {
    const pair = pairOf(given.from, given.to, 'fixed');
    const { side, units } = oneAmount(pair, given);
    const limits = withinLimits({ pair, type: 'fixed', side, units, limitsInErrors });
    const quote = (side === 'from' ? quoteFrom : quoteTo)(pair.from, pair.to, units);
    const { id, expiredAt } = rates.promise(given.from, given.to, quote);
    const shown = estimateView(pair, quote, limits);
    return { id, result: shown.rate, ...shown, expiredAt };
  };

  return {
    getCurrenciesFull(given) {
      checkParams(PARAMS.none, given);
      return { result: currencies().map(currencyView) };
    },

    getPairs(given) {
      const { from, to, txType } = checkParams(PARAMS.pairs, given) ?? {};
      for (const ticker of [from, to]) if (ticker !== undefined) knownCurrency(ticker);
      const result = pairs(txType)
        .map(pair => ({ from: pair.from.ticker, to: pair.to.ticker }))
        .filter(pair => (from ?? pair.from) === pair.from && (to ?? pair.to) === pair.to);
      return { result };
    },

    getExchangeAmount: given => ({
      result: answerPairs(checkParams(PARAMS.exchangeAmount, given), estimate),
    }),

    getFixRateForAmount: given => ({ result: answerPairs(checkParams(PARAMS.fixRate, given), fixRate) }),

    getPairsParams(given) {
      const result = checkParams(PARAMS.pairsParams, given).map(({ from, to }) => {
        const pair = pairOf(from, to, 'float');
        const text = (quote: Quote): string => formatUnits(quote.amountFrom, pair.from.decimals);
        const float = limitsOf(pair.from, pair.to, 'float');
        const fixed = limitsOf(pair.from, pair.to, 'fixed');
        return {
          from,
          to,
          minAmountFloat: text(float.min),
          maxAmountFloat: text(float.max),
          minAmountFixed: text(fixed.min),
          maxAmountFixed: text(fixed.max),
        };
      });
      return { result };
    },

    validateAddress(given) {
      const { currency, address } = checkParams(PARAMS.validateAddress, given);
      const isValid = isAddress(knownCurrency(currency).addressFormat, address);
      return { result: isValid ? { result: true } : { result: false, message: 'Invalid address' } };
    },
  } satisfies Readonly<Record<string, Method>>;
}

type Single<Given> = Given extends { single: infer Item } ? Item : never;

/** One pair: its answer or its error. An array: the answers of those pairs that have one. */
function answerPairs<Item extends object, Result>(
  given: Item[] | { single: Item },
  answer: (item: Item) => Result,
): Result[] {
  if ('single' in given) return [answer(given.single as Item)];
  return (given as Item[]).flatMap(item => {
    try {
      return [answer(item)];
    } catch (error) {
      if (error instanceof RpcError) return [];
      throw error;
    }
  });
}

export type CurrencyView = ReturnType<typeof currencyView>;

function currencyView(currency: Currency) {
  const { name, ticker, fullName, enabled, enabledFrom, enabledTo, fixRateEnabled } = currency;
  const { payinConfirmations, extraIdName, contractAddress, protocol, blockchain, decimals } = currency;
  return {
    name,
    ticker,
    fullName,
    enabled,
    enabledFrom,
    enabledTo,
    fixRateEnabled,
    payinConfirmations,
    ...(extraIdName !== undefined && { extraIdName }),
    addressUrl: `https://changelly.com/explorer/${blockchain}/address/%1$s`,
    transactionUrl: `https://changelly.com/explorer/${blockchain}/%1$s`,
    image: `https://cdn.changelly.com/icons/${ticker}.png`,
    fixedTime: FIXED_PAYMENT_SECONDS * 1_000,
    ...(contractAddress !== undefined && { contractAddress }),
    protocol,
    blockchain,
    blockchainPrecision: decimals,
  };
}

export type EstimateView = ReturnType<typeof estimateView>;

export interface FixedRateView extends EstimateView {
  /** For one order, until `expiredAt`. */
  readonly id: string;
  /** The rate. */
  readonly result: string;
  /** Unix seconds. */
  readonly expiredAt: number;
}

/** `amountTo` is before the network fee, and so are `minTo` and `maxTo`. All fees are in the currency of the payout. */
function estimateView({ from, to }: Pair, quote: Quote, limits: ReturnType<typeof withinLimits>) {
  const { max, min } = limits;
  return {
    from: from.ticker,
    to: to.ticker,
    networkFee: paddedUnits(to.networkFee, to.decimals),
    amountFrom: formatUnits(quote.amountFrom, from.decimals),
    amountTo: formatUnits(quote.amountTo, to.decimals),
    max: max.from,
    maxFrom: max.from,
    maxTo: max.to,
    min: min.from,
    minFrom: min.from,
    minTo: min.to,
    visibleAmount: formatUnits(quote.visibleAmount, to.decimals),
    rate: rateOf(from, to),
    fee: formatUnits(quote.fee, to.decimals),
  };
}
