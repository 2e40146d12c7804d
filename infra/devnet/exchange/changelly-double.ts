import type { KeyObject } from 'node:crypto';
import { reachableHost } from '../../config/reachable-host';
import type { Fault } from './faults';
import { createMethods, type MethodName } from './methods';
import { orderView, type OrderView } from './order';
import { openOrderStore } from './order-store';
import { createRates } from './rates';
import type { ScenarioName } from './scenarios';
import { apiKeyOf, serve } from './server';

export interface ChangellyDoubleOptions {
  /** An RSA key: requests must be signed with its private key. */
  readonly publicKey: KeyObject;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Unix ms; default: the real time. Orders, rates and the request limit follow this clock alone. */
  readonly now?: () => number;
  /** How much faster than described an order goes through its scenario; also the time for its payment is shorter. Default: 1. */
  readonly speed?: number;
  /** Default: 10; `Infinity`: no limit. */
  readonly requestsPerSecond?: number;
  /** Of orders whose amount and `userMetadata` name none. Default: happy. */
  readonly scenario?: ScenarioName;
  /** Whether errors of a limit carry the limits, or their message alone. Default: true. */
  readonly limitsInErrors?: boolean;
  /** Real time until a slow answer. Default: 60,000. */
  readonly slowMs?: number;
  /** Default: 100,000,000. */
  readonly hugeBytes?: number;
  /** More orders are refused with the error -32603; each takes 1.3 kB of memory. Default: 100,000. */
  readonly maxOrders?: number;
  /** Orders are kept there and survive a restart; default: in memory alone. */
  readonly dataDir?: string;
}

export interface FailNext {
  /** Default: any. */
  readonly method?: MethodName;
  /** Number of calls. Default: 1. */
  readonly times?: number;
}

/** A double of the exchange partner: https://docs.changelly.com. No coin moves: payments are played by the scenarios. */
export interface ChangellyDouble {
  /** Requests are posted to exactly this. */
  readonly url: string;
  /** What X-Api-Key must be. */
  readonly apiKey: string;
  /** The next calls of a method fail in this way. */
  failNext(fault: Fault, options?: FailNext): void;
  /** Calls so far that were signed and within the request limit. */
  calls(): ReadonlyMap<MethodName, number>;
  /** Every order as getTransactions shows it now, oldest first. */
  orders(): readonly OrderView[];
  close(): Promise<void>;
}

export async function startChangellyDouble(options: ChangellyDoubleOptions): Promise<ChangellyDouble> {
  const { publicKey, host = '127.0.0.1', port = 0, now = Date.now, speed = 1 } = options;
  const store = openOrderStore(options.dataDir ?? null);
  const calls = new Map<MethodName, number>();
  const faults: { readonly fault: Fault; readonly method: MethodName | undefined; times: number }[] = [];

  const nextFault = (method: MethodName): Fault | undefined => {
    const index = faults.findIndex(each => (each.method ?? method) === method);
    const found = faults[index];
    if (found && --found.times === 0) faults.splice(index, 1);
    return found?.fault;
  };

  const server = await serve({
    publicKey,
    host,
    port,
    now,
    methods: createMethods({
      store,
      rates: createRates(now),
      now,
      speed,
      scenario: options.scenario ?? 'happy',
      limitsInErrors: options.limitsInErrors ?? true,
      maxOrders: options.maxOrders ?? 100_000,
    }),
    requestsPerSecond: options.requestsPerSecond ?? 10,
    slowMs: options.slowMs ?? 60_000,
    hugeBytes: options.hugeBytes ?? 100_000_000,
    nextFault,
    onCall: method => calls.set(method, (calls.get(method) ?? 0) + 1),
  }).catch((error: unknown) => {
    store.close();
    throw error;
  });

  return {
    url: `http://${reachableHost(host)}:${server.port}/v2`,
    apiKey: apiKeyOf(publicKey),
    failNext: (fault, { method, times = 1 } = {}) => {
      faults.push({ fault, method, times });
    },
    calls: () => calls,
    orders: () => store.all().map(order => orderView(order, now(), speed)),
    async close() {
      await server.close();
      store.close();
    },
  };
}
