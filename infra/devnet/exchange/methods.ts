import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { atMost } from '../../../contracts/engine/cache-bounds';
import { isAddress } from './addresses';
import { currencies, type Currency } from './currencies';
import { formatUnits, paddedUnits } from './decimal';
import { FAULTS, type Fault } from './faults';
import { inNumberForm, type NumberForm } from './number-forms';
import { createdView, newOrder, orderView, type Order, type OrderTerms } from './order';
import { newOrderId, type OrderStore } from './order-store';
import { amountIn, knownCurrency, pairOf, pairs, withinLimits, type Pair } from './pairs';
import { PARAMS, checkParams } from './params';
import { limitsOf, quoteFrom, quoteTo, rateOf, type Quote, type RateType } from './quote';
import type { Rates } from './rates';
import { RpcError } from '../json-rpc-error';
import { invalidAddress, invalidParameter, noAddress, rateExpired } from './rpc-error';
import {
  FIXED_PAYMENT_SECONDS,
  SCENARIOS,
  scenarioOfAmount,
  scenarioOfMetadata,
  type Scenario,
  type ScenarioName,
} from './scenarios';

export interface MethodsOptions {
  readonly store: OrderStore;
  readonly rates: Rates;
  /** Unix ms. */
  readonly now: () => number;
  readonly speed: number;
  /** Of an order that names none. */
  readonly scenario: ScenarioName;
  readonly limitsInErrors: boolean;
  readonly maxOrders: number;
}

/** Thrown by a call that takes no effect because of a fault on its way. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  constructor(readonly fault: Fault) {
    super(fault);
  }
}

export interface Answered {
  readonly result: unknown;
  /** On the way back. */
  readonly fault?: Fault;
}

/** @throws RpcError, Interrupted */
export type Method = (params: unknown) => Answered;

export const METHODS = [
  'getCurrenciesFull',
  'getPairs',
  'getExchangeAmount',
  'getFixRateForAmount',
  'getPairsParams',
  'validateAddress',
  'createTransaction',
  'createFixTransaction',
  'getTransactions',
  'getStatus',
] as const;
export type MethodName = (typeof METHODS)[number];

const MAX_FAULTED = 10_000;

/** The methods of the API by their names: https://docs.changelly.com */
export function createMethods(options: MethodsOptions): Readonly<Record<MethodName, Method>> {
  const { store, rates, now, speed, limitsInErrors } = options;
  /** Orders whose first call was answered by a fault. */
  const faulted = new LRUCache<string, true>(atMost(MAX_FAULTED));

  const view = (order: Order) => inNumberForm(orderView(order, now(), speed), numbersOf(order));

  const bounded = (pair: Pair, type: RateType, side: 'from' | 'to', units: bigint) =>
    withinLimits({ pair, type, side, units, limitsInErrors });

  const estimate = (given: Single<z.output<typeof PARAMS.exchangeAmount>>): EstimateView => {
    const pair = pairOf(given.from, given.to, 'float');
    const units = amountIn(pair.from, 'amountFrom', given.amountFrom);
    const limits = bounded(pair, 'float', 'from', units);
    return estimateView(pair, quoteFrom(pair.from, pair.to, units), limits);
  };

  const fixRate = (given: Single<z.output<typeof PARAMS.fixRate>>): FixedRateView => {
    const pair = pairOf(given.from, given.to, 'fixed');
    const { side, units } = oneAmount(pair, given);
    const limits = bounded(pair, 'fixed', side, units);
    const quote = (side === 'from' ? quoteFrom : quoteTo)(pair.from, pair.to, units);
    const { id, expiredAt } = rates.promise(given.from, given.to, quote);
    const shown = estimateView(pair, quote, limits);
    return { id, result: shown.rate, ...shown, expiredAt };
  };

  const commit = (terms: OrderTerms, amount: string): Answered => {
    const scenario: Scenario = SCENARIOS[terms.scenario];
    const { fault } = scenario;
    const key = [terms.from.ticker, terms.to.ticker, amount, terms.payoutAddress].join(' ');
    const isFaulty = fault !== undefined && !faulted.has(key);
    if (isFaulty) faulted.set(key, true);
    if (isFaulty && !FAULTS[fault]) throw new Interrupted(fault);
    if (store.all().length >= options.maxOrders) throw noAddress();
    const id = (scenario.repeatsId && store.last()?.id) ?? newOrderId();
    const order = newOrder(id, randomBytes(8).toString('hex'), now(), terms);
    store.add(order);
    return { result: inNumberForm(createdView(order, speed), numbersOf(order)), ...(isFaulty && { fault }) };
  };

  const scenarioOf = (from: Currency, units: bigint, metadata: string | null | undefined): ScenarioName =>
    scenarioOfMetadata(metadata) ?? scenarioOfAmount(units, from.decimals) ?? options.scenario;

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

    createTransaction(given) {
      const params = checkParams(PARAMS.create, given);
      const pair = pairOf(params.from, params.to, 'float');
      const units = amountIn(pair.from, 'amountFrom', params.amountFrom);
      checkAmount(pair, units, () => bounded(pair, 'float', 'from', units));
      if (!isAddress(pair.to.addressFormat, params.address)) throw invalidAddress('address');
      const terms: OrderTerms = {
        type: 'float',
        ...pair,
        quote: quoteFrom(pair.from, pair.to, units),
        scenario: scenarioOf(pair.from, units, params.userMetadata),
        payoutAddress: params.address,
        payoutExtraId: params.extraId,
        refundAddress: params.refundAddress,
        refundExtraId: params.refundExtraId,
      };
      return commit(terms, params.amountFrom);
    },

    createFixTransaction(given) {
      const params = checkParams(PARAMS.createFixed, given);
      const pair = pairOf(params.from, params.to, 'fixed');
      const { side, units } = oneAmount(pair, params);
      if (!isAddress(pair.to.addressFormat, params.address)) throw invalidAddress('address');
      if (!isAddress(pair.from.addressFormat, params.refundAddress)) throw invalidAddress('refund address');
      const rate = rates.take(params.rateId);
      const promised = side === 'from' ? rate?.quote.amountFrom : rate?.quote.amountTo;
      if (rate?.from !== params.from || rate.to !== params.to || promised !== units) throw rateExpired();
      const terms: OrderTerms = {
        type: 'fixed',
        ...pair,
        quote: rate.quote,
        scenario: scenarioOf(pair.from, rate.quote.amountFrom, params.userMetadata),
        payoutAddress: params.address,
        payoutExtraId: params.extraId,
        refundAddress: params.refundAddress,
        refundExtraId: params.refundExtraId,
      };
      return commit(terms, rate.quote.amountFrom.toString());
    },

    getTransactions(given) {
      const { id, status, currency, address, payoutAddress, extraId, since, limit, offset } = checkParams(
        PARAMS.transactions,
        given ?? {},
      );
      const candidates = id
        ? [...id].flatMap(each => store.withId(each))
        : payoutAddress
          ? [...payoutAddress].flatMap(each => store.paidTo(each))
          : store.all();
      const result = [];
      let skipped = 0;
      for (const order of candidates.toReversed().sort((a, b) => b.createdAt - a.createdAt)) {
        if (payoutAddress && !payoutAddress.has(order.payoutAddress)) continue;
        if (currency && !currency.has(order.from)) continue;
        if (address && !address.has(order.payinAddress)) continue;
        if (extraId && order.payinExtraId !== extraId) continue;
        if (since !== undefined && order.createdAt * 1_000 < since) continue;
        const shown = view(order);
        if (status && !status.has(shown.status)) continue;
        if (skipped++ < offset) continue;
        if (result.push(shown) === limit) break;
      }
      return { result };
    },

    getStatus(given) {
      const { id } = checkParams(PARAMS.status, given);
      const order = store.withId(id).at(-1);
      if (!order) throw invalidParameter('id');
      return { result: view(order).status };
    },
  };
}

const numbersOf = ({ scenario }: Order): NumberForm | undefined => (SCENARIOS[scenario] as Scenario).numbers;

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

/** @throws RpcError unless exactly one of them is given */
function oneAmount(
  { from, to }: Pair,
  given: { readonly amountFrom?: string | undefined; readonly amountTo?: string | undefined },
): { readonly side: 'from' | 'to'; readonly units: bigint } {
  const { amountFrom, amountTo } = given;
  if (amountFrom !== undefined && amountTo === undefined)
    return { side: 'from', units: amountIn(from, 'amountFrom', amountFrom) };
  if (amountTo !== undefined && amountFrom === undefined)
    return { side: 'to', units: amountIn(to, 'amountTo', amountTo) };
  throw invalidParameter(amountFrom === undefined ? 'amountFrom' : 'amountTo');
}

/** For more than the maximum, creating an order has an error of its own. */
function checkAmount(pair: Pair, units: bigint, bounded: () => unknown): void {
  const { from, to } = pair;
  const { max } = limitsOf(from, to, 'float');
  if (units > max.amountFrom)
    throw new RpcError(
      -32602,
      `Not enough liquidity in pair ${from.ticker}->${to.ticker}. ` +
        `Max amount is ${formatUnits(max.amountFrom, from.decimals)} ${from.ticker}.`,
    );
  bounded();
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
