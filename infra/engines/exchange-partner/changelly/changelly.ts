import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { parseTonAddress } from '../../../../contracts/account/address';
import { canonicalDecimal } from '../../../../contracts/money/decimal';
import {
  MAX_ORDERS_READ,
  PartnerRefused,
  PartnerBusy,
  PartnerUnavailable,
  type ExchangePair,
  type ExchangePartner,
  type PartnerCall,
  type PartnerLimits,
  type PartnerOrder,
  type PartnerOrderState,
} from '../../../../contracts/ports/exchange-partner';
import {
  currency,
  estimates,
  exchangePair,
  order,
  orderState,
  pairLimits,
  readableItems,
  unreadableMembers,
} from './answers';
import { createCalls, type Calls, type CallsOptions } from './calls';
import { partnerTicker } from './tickers';

export interface ChangellyOptions extends CallsOptions {
  readonly sandbox: boolean;
}

export const CHANGELLY = 'changelly';

const LIMITS_MS = 60_000;
const MAX_LIMITS = 1_000;
const MAX_REPORTED = 1_000;
const PAGE = 100;
const MAX_PAGES = 20;

/** The exchange API v2 of Changelly, https://docs.changelly.com, with floating rates. */
export function createChangelly(options: ChangellyOptions): ExchangePartner & { close(): Promise<void> } {
  const { sandbox, logger } = options;
  const { read, once, close } = createCalls(options);

  const limitsOf = createLimits(read, logger);
  const reportUnreadable = createUnreadableReport(logger);

  return {
    id: CHANGELLY,
    sandbox,

    currencies: call =>
      read('getCurrenciesFull', {}, call, answer => {
        const items = readList(logger, 'currencies', answer, currency);
        if (items.length === 0) throw new Error('getCurrenciesFull: no currency');
        return items;
      }),

    sourcesOf: (to, call) =>
      read('getPairs', { to: partnerTicker(to), txType: 'float' }, call, answer =>
        readList(logger, 'pairs', answer, exchangePair).flatMap(pair => (pair.to === to ? [pair.from] : [])),
      ),

    async estimate(pair, amountFrom, call) {
      try {
        return await read('getExchangeAmount', { ...tickersOf(pair), amountFrom }, call, answer => {
          const [estimate] = estimates.parse(answer);
          const { from, to, amountFrom: estimated } = estimate!;
          if (from !== pair.from || to !== pair.to || estimated !== canonicalDecimal(amountFrom))
            throw new Error('getExchangeAmount: the estimate of something else');
          return estimate!;
        });
      } catch (error) {
        if (!isBeyondLimits(error) || error.limits) throw error;
        throw new PartnerRefused(error.reason, error.message, await limitsOf(pair, call));
      }
    },

    async createOrder(request, call) {
      const { amountFrom, payoutAddress, refundAddress } = request;
      const params = {
        ...tickersOf(request),
        amountFrom,
        address: payoutAddress,
        ...(refundAddress !== null && { refundAddress }),
      };
      return once('createTransaction', params, call, answer => {
        const created = order.parse(answer);
        if (!isOrderFor(created, request)) throw new Error('createTransaction: another order');
        reportUnreadable(created, answer);
        return { ...created, payoutAddress };
      });
    },

    async orders(ids, call) {
      if (ids.length > MAX_ORDERS_READ) throw new RangeError(`more than ${MAX_ORDERS_READ} orders`);
      if (ids.length === 0) return [];
      return read('getTransactions', { id: ids, limit: MAX_ORDERS_READ }, call, answer => {
        const { items, given, errors } = readableItems(answer, orderState);
        if (errors.length > 0)
          logger.warn({ ids, unreadable: errors.length }, 'exchange partner has malformed orders');
        if (items.length === 0 && errors.length > 0) throw errors[0]!;
        items.forEach((each, index) => reportUnreadable(each, given[index]));
        // Of two with one id the newer one comes first.
        return [...new Set(ids)].flatMap(id => items.find(each => each.id === id) ?? []);
      });
    },

    async ordersTo(payoutAddress, since, call) {
      const found = new Map<string, PartnerOrder>();
      for (let page = 0; page < MAX_PAGES; page++) {
        const params = { payoutAddress, since: since * MICROSECONDS, limit: PAGE, offset: page * PAGE };
        const { items, errors } = await read('getTransactions', params, call, answer =>
          readableItems(answer, order),
        );
        if (errors.length > 0)
          logger.warn({ unreadable: errors.length }, 'exchange partner has malformed orders');
        for (const each of items)
          if (isSameAddress(each.payoutAddress, payoutAddress))
            found.set(each.id, { ...each, payoutAddress });
        if (items.length + errors.length < PAGE) return [...found.values()];
      }
      throw new PartnerUnavailable(`getTransactions: more than ${MAX_PAGES * PAGE} orders of one address`);
    },

    close,
  };
}

/** The limits of pairs, each read once a minute; null where they cannot be read: that an amount is beyond them is certain without. */
function createLimits(read: Calls['read'], logger: Logger) {
  const limits = new LRUCache<string, PartnerLimits, { pair: ExchangePair; call: PartnerCall }>({
    max: MAX_LIMITS,
    ttl: LIMITS_MS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: { pair, call } }) =>
      read('getPairsParams', [tickersOf(pair)], call, answer => pairLimits.parse(answer)),
  });
  return async (pair: ExchangePair, call: PartnerCall): Promise<PartnerLimits | null> => {
    try {
      return (await limits.fetch(`${pair.from} ${pair.to}`, { context: { pair, call } })) ?? null;
    } catch (error) {
      const level = error instanceof PartnerBusy ? 'debug' : 'warn';
      logger[level]({ ...pair, err: error }, 'limits of the exchange partner could not be read');
      return null;
    }
  };
}

/** What can be read of a list. @throws ZodError where that is nothing of what is given */
function readList<T>(logger: Logger, of: string, answer: unknown, schema: z.ZodType<T>): readonly T[] {
  const { items, errors } = readableItems(answer, schema);
  if (errors.length > 0) logger.warn({ unreadable: errors.length }, `exchange partner has malformed ${of}`);
  if (items.length === 0 && errors.length > 0) throw errors[0]!;
  return items;
}

/** Logs what cannot be read of an order, once: it is read again and again. */
function createUnreadableReport(logger: Logger) {
  const reported = new LRUCache<string, true>({ max: MAX_REPORTED });
  return (read: PartnerOrderState, given: unknown): void => {
    const members = unreadableMembers(given, read);
    const key = [read.id, ...members].join(' ');
    if (members.length === 0 || reported.has(key)) return;
    reported.set(key, true);
    logger.warn({ partnerOrder: read.id, members }, 'exchange partner has an order with unreadable members');
  };
}

const MICROSECONDS = 1_000;

const tickersOf = ({ from, to }: ExchangePair): ExchangePair => ({
  from: partnerTicker(from),
  to: partnerTicker(to),
});

const isBeyondLimits = (error: unknown): error is PartnerRefused =>
  error instanceof PartnerRefused &&
  (error.reason === 'amount_too_low' || error.reason === 'amount_too_high');

/** An order whose payout would go elsewhere must not be shown to anybody. */
function isOrderFor(
  created: PartnerOrder,
  request: ExchangePair & { readonly payoutAddress: string },
): boolean {
  return (
    created.from === request.from &&
    created.to === request.to &&
    isSameAddress(created.payoutAddress, request.payoutAddress)
  );
}

/** The partner may write a TON address in another form. */
const isSameAddress = (one: string, other: string): boolean => rawAddress(one) === rawAddress(other);
const rawAddress = (address: string): string => parseTonAddress(address)?.raw ?? address;
