import { payinAddress, transactionHash } from './addresses';
import { currencyOf, type Currency } from './currencies';
import { formatUnits } from '../../../contracts/money/decimal';
import { paddedUnits } from './decimal';
import {
  API_EXTRA_FEE_PERCENT,
  CHANGELLY_FEE_PERCENT,
  quoteFrom,
  rateOf,
  type Quote,
  type RateType,
} from './quote';
import {
  FIXED_PAYMENT_SECONDS,
  SCENARIOS,
  momentsOf,
  type Moment,
  type Scenario,
  type ScenarioName,
} from './scenarios';

/**
 * What is known of an order from its creation on. Everything later follows from its scenario and the time. Amounts are decimal text
 * of integers, in smallest units.
 */
export interface Order {
  readonly id: string;
  readonly type: RateType;
  readonly from: string;
  readonly to: string;
  readonly amountFrom: string;
  readonly amountTo: string;
  /** Unix ms. */
  readonly createdAt: number;
  readonly scenario: ScenarioName;
  readonly payinAddress: string;
  readonly payinExtraId: string | null;
  readonly payoutAddress: string;
  readonly payoutExtraId: string | null;
  readonly refundAddress: string | null;
  readonly refundExtraId: string | null;
}

export interface OrderTerms {
  readonly type: RateType;
  readonly from: Currency;
  readonly to: Currency;
  readonly quote: Quote;
  readonly scenario: ScenarioName;
  readonly payoutAddress: string;
  readonly payoutExtraId?: string | null | undefined;
  readonly refundAddress?: string | null | undefined;
  readonly refundExtraId?: string | null | undefined;
}

/** @param seed hexadecimal digits, unlike those of any other order */
export function newOrder(id: string, seed: string, createdAt: number, terms: OrderTerms): Order {
  const { type, from, to, quote, scenario, payoutAddress } = terms;
  return {
    id,
    type,
    from: from.ticker,
    to: to.ticker,
    amountFrom: quote.amountFrom.toString(),
    amountTo: quote.amountTo.toString(),
    createdAt,
    scenario,
    payinAddress: payinAddress(from.addressFormat, seed),
    payinExtraId: from.extraIdName ? Number.parseInt(seed.slice(-8), 16).toString() : null,
    payoutAddress,
    payoutExtraId: terms.payoutExtraId ?? null,
    refundAddress: terms.refundAddress ?? null,
    refundExtraId: terms.refundExtraId ?? null,
  };
}

const MICROS = 1_000;

const common = (order: Order) => ({
  id: order.id,
  trackUrl: `https://changelly.com/track/${order.id}`,
  createdAt: order.createdAt * MICROS,
  type: order.type,
  currencyFrom: order.from,
  currencyTo: order.to,
  payinAddress: order.payinAddress,
  payinExtraId: order.payinExtraId,
  payoutAddress: order.payoutAddress,
  payoutExtraId: order.payoutExtraId,
  refundAddress: order.refundAddress,
  refundExtraId: order.refundExtraId,
});

const currenciesOf = (order: Order): { from: Currency; to: Currency } => ({
  from: currencyOf(order.from)!,
  to: currencyOf(order.to)!,
});

export interface CreatedView extends ReturnType<typeof common> {
  readonly status: 'new';
  readonly amountExpectedFrom: string;
  readonly amountExpectedTo: string;
  readonly networkFee: string;
  /** Of a fixed rate alone: ISO 8601. */
  readonly payTill?: string;
}

/** The answer that an order is created with. @param speed see `ChangellyDoubleOptions` */
export function createdView(order: Order, speed: number): CreatedView {
  const { from, to } = currenciesOf(order);
  const text = order.type === 'fixed' ? paddedUnits : formatUnits;
  return {
    ...common(order),
    status: 'new',
    amountExpectedFrom: text(BigInt(order.amountFrom), from.decimals),
    amountExpectedTo: text(BigInt(order.amountTo), to.decimals),
    networkFee: paddedUnits(to.networkFee, to.decimals),
    ...(order.type === 'fixed' && {
      payTill: new Date(order.createdAt + (FIXED_PAYMENT_SECONDS / speed) * 1_000).toISOString(),
    }),
  };
}

const UNPAID: ReadonlySet<string> = new Set(['waiting', 'overdue', 'expired']);
const WHOLE = 100n;

/**
 * An order as getTransactions shows it at a time.
 *
 * Amounts of a finished order, all exact: `amountTo` + `networkFee` + `totalFee` is what the payment was worth before fees, with
 * `amountTo` sent to the customer. All fees are in the currency of the payout. The partner's own part of `totalFee`, its commission,
 * is `apiExtraFee` percent of that worth, rounded down to the smallest unit; the rest is Changelly's.
 * @param now Unix ms
 */
export function orderView(order: Order, now: number, speed: number) {
  const { from, to } = currenciesOf(order);
  const scenario: Scenario = SCENARIOS[order.scenario];
  const moments = momentsOf(scenario, order.type);
  const elapsed = ((now - order.createdAt) / 1_000) * speed;
  const { status, at } = moments.findLast(moment => moment.at <= elapsed) ?? moments[0]!;
  const timeOf = (moment: Moment | undefined): number =>
    moment ? (order.createdAt + Math.round((moment.at / speed) * 1_000)) * MICROS : 0;

  const isPaid = !UNPAID.has(status);
  const isFinished = status === 'finished';
  const isSent = isFinished || status === 'sending';
  const paid = (BigInt(order.amountFrom) * (scenario.paidPercent ?? WHOLE)) / WHOLE;
  // An exact payment buys what was promised.
  const bought = quoteFrom(from, to, paid);
  const promised = BigInt(order.amountTo);
  const amountTo = scenario.paidPercent ? bought.amountTo : promised;
  const totalFee = scenario.paidPercent ? bought.fee : bought.visibleAmount - promised;
  const hash = (currency: Currency, of: string): string =>
    transactionHash(currency.addressFormat, `${order.payinAddress} ${of}`);

  return {
    ...common(order),
    status,
    moneyReceived: isPaid ? timeOf(moments.find(moment => !UNPAID.has(moment.status))) : 0,
    moneySent: isFinished ? timeOf({ status, at }) : 0,
    rate: rateOf(from, to),
    payinConfirmations: isPaid ? (status === 'confirming' ? '1' : `${from.payinConfirmations}`) : '0',
    payinExtraIdName: order.payinExtraId === null ? null : (from.extraIdName ?? null),
    payoutExtraIdName: order.payoutExtraId === null ? null : (to.extraIdName ?? null),
    payinHash: isPaid ? hash(from, 'pay-in') : null,
    payoutHash: isSent ? hash(to, 'payout') : null,
    payoutHashLink: isSent ? `https://changelly.com/explorer/${to.blockchain}/${hash(to, 'payout')}` : null,
    refundHash: status === 'refunded' ? hash(from, 'refund') : null,
    refundHashLink:
      status === 'refunded'
        ? `https://changelly.com/explorer/${from.blockchain}/${hash(from, 'refund')}`
        : null,
    amountExpectedFrom: formatUnits(BigInt(order.amountFrom), from.decimals),
    amountExpectedTo: formatUnits(promised, to.decimals),
    amountFrom: isPaid ? formatUnits(paid, from.decimals) : '',
    amountTo: isFinished ? formatUnits(amountTo - to.networkFee, to.decimals) : '0',
    networkFee: paddedUnits(to.networkFee, to.decimals),
    changellyFee: CHANGELLY_FEE_PERCENT,
    apiExtraFee: API_EXTRA_FEE_PERCENT,
    totalFee: isFinished ? formatUnits(totalFee, to.decimals) : null,
    canPush: false,
    canRefund: false,
  };
}

export type OrderView = ReturnType<typeof orderView>;
