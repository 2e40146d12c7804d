import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { z } from 'zod';
import { parseTonAddress } from '../../../../contracts/account/address';
import { backoffMs } from '../../../../contracts/retry/backoff';
import { canonicalDecimal } from '../../../../contracts/money/decimal';
import {
  MAX_ORDERS_READ,
  PartnerRefused,
  PartnerUnavailable,
  type ExchangePair,
  type ExchangePartner,
  type PartnerCall,
  type PartnerLimits,
  type PartnerOrder,
  type PartnerOrderState,
} from '../../../../contracts/ports/exchange-partner';
import { sleep } from '../../../../contracts/retry/retry';
import {
  currency,
  estimates,
  order,
  orderState,
  pairLimits,
  pairs,
  readableItems,
  unreadableMembers,
} from './answers';
import { createRequestBudget, type SharedBudget } from './budget';
import { createRpc, RpcRefused, type CallOptions, type RpcOptions } from './json-rpc';
import { failureOf } from './refusals';
import { partnerTicker } from './tickers';

export interface ChangellyOptions extends Pick<RpcOptions, 'url' | 'signer' | 'credentials'> {
  readonly sandbox: boolean;
  readonly requestsPerSecond: number;
  /** Of all processes that use the same account; default: this process has the budget alone. */
  readonly sharedBudget?: SharedBudget | undefined;
  readonly logger: Logger;
  /** Called after each request. */
  readonly onRequest?: (request: PartnerRequest) => void;
  /** Of one request; default 8,000. */
  readonly timeoutMs?: number;
  /** Before a read is repeated, growing from there; default 250. */
  readonly backoffMs?: number;
  /** Decompressed bytes of one answer; default 8 MiB. */
  readonly maxBytes?: number;
}

export interface PartnerRequest {
  readonly method: string;
  readonly outcome: 'answered' | 'refused' | 'failed';
  readonly seconds: number;
}

export const CHANGELLY = 'changelly';

const ATTEMPTS = { estimate: 2, order: 2, refresh: 1, background: 3 } as const;
const MAX_BACKOFF_MS = 2_000;
const LIMITS_MS = 60_000;
const MAX_LIMITS = 1_000;
const MAX_REPORTED = 1_000;
const PAGE = 100;
const MAX_PAGES = 20;

/** The exchange API v2 of Changelly, https://docs.changelly.com, with floating rates. */
export function createChangelly(options: ChangellyOptions): ExchangePartner & { close(): Promise<void> } {
  const { sandbox, requestsPerSecond, logger, timeoutMs = 8_000, maxBytes = 8 * 2 ** 20 } = options;
  const rpc = createRpc({ ...options, timeoutMs, maxBytes });
  const budget = createRequestBudget({ perSecond: requestsPerSecond, shared: options.sharedBudget });

  /** Of a call that the budget has admitted. */
  async function send(
    method: string,
    params: unknown,
    { signal }: Pick<PartnerCall, 'signal'>,
    how?: Pick<CallOptions, 'isolated'>,
  ) {
    const started = performance.now();
    let outcome: PartnerRequest['outcome'] = 'failed';
    try {
      const answer = await rpc.call(method, params, { signal, ...how });
      outcome = 'answered';
      return answer;
    } catch (error) {
      if (error instanceof RpcRefused) outcome = 'refused';
      throw error;
    } finally {
      options.onRequest?.({ method, outcome, seconds: (performance.now() - started) / 1_000 });
    }
  }

  /** Repeated when it fails, unless the partner has understood and refused. @throws PartnerRefused, PartnerUnavailable */
  async function read<T>(
    method: string,
    params: unknown,
    call: PartnerCall,
    parse: (answer: unknown) => T,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      // What our own budget refuses is no reason to leave the partner alone.
      await budget.take(call);
      try {
        return parsed(method, parse, await send(method, params, call));
      } catch (error) {
        const failure = failureOf(error, false);
        if (failure instanceof PartnerRefused) throw failure;
        const pauseMs = pauseAfter(failure, attempt);
        const isLast = attempt >= ATTEMPTS[call.priority] || pauseMs > MAX_BACKOFF_MS;
        if (isLast || call.signal.aborted) throw failure;
        logger.debug({ method, attempt, err: failure }, 'exchange partner failed');
        await sleep(pauseMs, call.signal);
      }
    }
  }

  /** A partner that asks to be left alone is, by all calls. */
  function pauseAfter(failure: Error, attempt: number): number {
    const retryAfterMs = failure instanceof PartnerUnavailable ? failure.retryAfterMs : null;
    if (retryAfterMs !== null) budget.pause(retryAfterMs);
    return retryAfterMs ?? backoffMs(attempt - 1, options.backoffMs ?? 250, MAX_BACKOFF_MS);
  }

  const limits = new LRUCache<string, PartnerLimits, { pair: ExchangePair; call: PartnerCall }>({
    max: MAX_LIMITS,
    ttl: LIMITS_MS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: { pair, call } }) =>
      read('getPairsParams', [tickersOf(pair)], call, answer => pairLimits.parse(answer)),
  });

  const reported = new LRUCache<string, true>({ max: MAX_REPORTED });
  /** Once for each order: it is read again and again. */
  function reportUnreadable(read: PartnerOrderState, given: unknown): void {
    const members = unreadableMembers(given, read);
    const key = [read.id, ...members].join(' ');
    if (members.length === 0 || reported.has(key)) return;
    reported.set(key, true);
    logger.warn({ partnerOrder: read.id, members }, 'exchange partner has an order with unreadable members');
  }

  return {
    id: CHANGELLY,
    sandbox,

    currencies: call =>
      read('getCurrenciesFull', {}, call, answer => {
        const { items, errors } = readableItems(answer, currency);
        if (errors.length > 0)
          logger.warn({ unreadable: errors.length }, 'exchange partner has malformed currencies');
        if (items.length === 0) throw errors[0] ?? new Error('getCurrenciesFull: no currency');
        return items;
      }),

    sourcesOf: (to, call) =>
      read('getPairs', { to: partnerTicker(to), txType: 'float' }, call, answer =>
        pairs.parse(answer).flatMap(pair => (pair.to === to ? [pair.from] : [])),
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
        const known = await limits.fetch(`${pair.from} ${pair.to}`, { context: { pair, call } });
        throw new PartnerRefused(error.reason, error.message, known);
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
      await budget.take(call);
      try {
        const answer = await send('createTransaction', params, call, { isolated: true });
        const created = parsed('createTransaction', given => order.parse(given), answer);
        if (!isOrderFor(created, request)) throw new Error('createTransaction: another order');
        reportUnreadable(created, answer);
        return { ...created, payoutAddress };
      } catch (error) {
        const failure = failureOf(error, true);
        if (failure instanceof PartnerUnavailable && failure.retryAfterMs !== null)
          budget.pause(failure.retryAfterMs);
        throw failure;
      }
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

    close: () => rpc.close(),
  };
}

const MICROSECONDS = 1_000;

/** @throws Error that is short enough to log, and quotes nothing */
function parsed<T>(method: string, parse: (answer: unknown) => T, answer: unknown): T {
  try {
    return parse(answer);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    const message = `${method}: the answer is malformed at ${issue?.path.join('.')}: ${issue?.message}`;
    throw new Error(message, { cause: error });
  }
}

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
