import type { Express } from 'express';
import request from 'supertest';
import { exchangeOrderId, exchangeOrderStream } from '../../contracts/events/exchange-order';
import type { AccountRef } from '../../contracts/network/network';
import type { PartnerOrder } from '../../contracts/ports/exchange-partner';
import { NO_LIMITS, type RateLimits } from '../../contracts/ports/rate-limits';
import { EXCHANGE_ORDERS, exchangeOrdersProjection } from '../../projections/exchange/orders';
import { exchangeOrderKind, type ExchangeOrderCommand } from '../../services/exchange/order/decider';
import type { ExchangeOrderDeps } from '../../services/exchange/deps';
import { exchangeOrderRoutes } from '../../services/exchange/order/routes';
import { createHandle } from '../../services/handle';
import { createTestApp } from '../app';
import { dataFolder, PROJECTING_TIMEOUT_MS, type Program } from '../projections/program';
import { at, metadata, NONE_UNPAID, partnerOrder, REQUEST } from './order';

/** A command without its metadata. */
type Step = ExchangeOrderCommand extends infer C ? (C extends unknown ? Omit<C, 'metadata'> : never) : never;

export interface Answer {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  readonly headers: Record<string, string>;
}

/** The endpoints of orders over a store of their own, without a partner: orders are as their events say. */
export function orderServer(overrides: Partial<ExchangeOrderDeps> = {}) {
  const folder = dataFolder();
  const open = (): Program => folder.open({ projections: [exchangeOrdersProjection] });
  const [program, projecting] = [open(), open()];
  const handle = createHandle({ store: program.store });
  projecting.start();

  async function execute(orderId: string, ...steps: readonly Step[]): Promise<number> {
    let position = -1;
    for (const [i, step] of steps.entries()) {
      const command = { ...step, metadata: metadata(i) } as ExchangeOrderCommand;
      const outcome = await handle(exchangeOrderKind, exchangeOrderStream(orderId), command);
      if (outcome.refusal) throw new Error(outcome.refusal.detail);
      ({ position } = outcome);
    }
    await program.views.waitForPosition(EXCHANGE_ORDERS.name, position, PROJECTING_TIMEOUT_MS);
    return position;
  }

  const deps: ExchangeOrderDeps = {
    views: program.views,
    handle,
    clock: () => new Date(at(60)),
    create: async () => Promise.reject(new Error('not in this test')),
    refresh: async () => null,
    sourceOf: ip => ip,
    waitMs: PROJECTING_TIMEOUT_MS,
    ...overrides,
  };
  const appWith = (limits: RateLimits): Express => createTestApp(exchangeOrderRoutes(deps), { limits });
  const app = appWith(NO_LIMITS);

  let keys = 0;
  return {
    program,
    handle,
    execute,
    async post(path: string, body: object): Promise<Answer> {
      return request(app).post(path).send(body);
    },
    async get(path: string): Promise<Answer> {
      return request(app).get(path);
    },
    /** An order of a wallet that the partner shows with these statuses, one after the other. */
    async place(wallet: AccountRef, ...shown: readonly Partial<PartnerOrder>[]): Promise<string> {
      const orderId = exchangeOrderId(wallet, String(keys++));
      const terms = { ...REQUEST, orderId, wallet } as ExchangeRequest;
      await execute(
        orderId,
        { type: 'request', request: terms, ...NONE_UNPAID },
        { type: 'startCall' },
        { type: 'recordCreated', order: partnerOrder(), expiresAt: at(3_600) },
        ...shown.map(more => ({ type: 'observe', order: partnerOrder(more) }) as const),
      );
      return orderId;
    },
    /** A request that the partner has not answered with an order. */
    async request(wallet: AccountRef, ...steps: readonly Step[]): Promise<string> {
      const orderId = exchangeOrderId(wallet, String(keys++));
      const terms = { ...REQUEST, orderId, wallet } as ExchangeRequest;
      await execute(orderId, { type: 'request', request: terms, ...NONE_UNPAID }, ...steps);
      return orderId;
    },
    /** From now on documents stay as they are. */
    stopProjecting: () => projecting.stop(),
    remove: () => folder.remove(),
  };
}

type ExchangeRequest = Extract<ExchangeOrderCommand, { type: 'request' }>['request'];
