import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../../contracts/engine/cache-bounds';
import { RpcError } from '../json-rpc-error';
import { isAddress } from './addresses';
import type { Currency } from './currencies';
import { formatUnits } from '../../../contracts/money/decimal';
import { FAULTS } from './faults';
import { findOrders } from './find-orders';
import { Interrupted, oneAmount, type Answered, type Method, type MethodsOptions } from './method';
import { inNumberForm, type NumberForm } from './number-forms';
import { createdView, newOrder, orderView, type Order, type OrderTerms } from './order';
import { newOrderId } from './order-store';
import { amountIn, pairOf, withinLimits, type Pair } from './pairs';
import { PARAMS, checkParams } from './params';
import { limitsOf, quoteFrom } from './quote';
import { invalidAddress, invalidParameter, noAddress, rateExpired } from './rpc-error';
import {
  SCENARIOS,
  scenarioOfAmount,
  scenarioOfMetadata,
  type Scenario,
  type ScenarioName,
} from './scenarios';

const MAX_FAULTED = 10_000;

/** The methods that create orders, and those that show them. */
export function orderMethods(options: MethodsOptions) {
  const { store, rates, now, speed, limitsInErrors } = options;
  const commit = createCommit(options);
  const view = (order: Order) => inNumberForm(orderView(order, now(), speed), numbersOf(order));

  const scenarioOf = (from: Currency, units: bigint, metadata: string | null | undefined): ScenarioName =>
    scenarioOfMetadata(metadata) ?? scenarioOfAmount(units, from.decimals) ?? options.scenario;

  return {
    createTransaction(given) {
      const params = checkParams(PARAMS.create, given);
      const pair = pairOf(params.from, params.to, 'float');
      const units = amountIn(pair.from, 'amountFrom', params.amountFrom);
      checkAmount(pair, units, () =>
        withinLimits({ pair, type: 'float', side: 'from', units, limitsInErrors }),
      );
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
      return { result: findOrders(store, checkParams(PARAMS.transactions, given ?? {}), view) };
    },

    getStatus(given) {
      const { id } = checkParams(PARAMS.status, given);
      const order = store.withId(id).at(-1);
      if (!order) throw invalidParameter('id');
      return { result: view(order).status };
    },
  } satisfies Readonly<Record<string, Method>>;
}

/** Stores an order; the first call of some scenarios is answered by a fault, with or without it. */
function createCommit({ store, now, speed, maxOrders }: MethodsOptions) {
  /** Orders whose first call was answered by a fault. */
  const faulted = new LRUCache<string, true>(atMost(MAX_FAULTED));
  return (terms: OrderTerms, amount: string): Answered => {
    const scenario: Scenario = SCENARIOS[terms.scenario];
    const { fault } = scenario;
    const key = [terms.from.ticker, terms.to.ticker, amount, terms.payoutAddress].join(' ');
    const isFaulty = fault !== undefined && !faulted.has(key);
    if (isFaulty) faulted.set(key, true);
    if (isFaulty && !FAULTS[fault]) throw new Interrupted(fault);
    if (store.all().length >= maxOrders) throw noAddress();
    const id = (scenario.repeatsId && store.last()?.id) ?? newOrderId();
    const order = newOrder(id, randomBytes(8).toString('hex'), now(), terms);
    store.add(order);
    return { result: inNumberForm(createdView(order, speed), numbersOf(order)), ...(isFaulty && { fault }) };
  };
}

const numbersOf = ({ scenario }: Order): NumberForm | undefined => (SCENARIOS[scenario] as Scenario).numbers;

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
