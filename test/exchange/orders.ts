import request from 'supertest';
import { exchangeOrderId, exchangeOrderStream } from '../../contracts/events/exchange-order';
import type { AccountRef } from '../../contracts/network/network';
import type { PartnerOrder } from '../../contracts/ports/exchange-partner';
import { callerSource } from '../../infra/program/requests/caller-source';
import { exchangeOrderKind, type ExchangeOrderCommand } from '../../services/exchange/order/decider';
import { startTestProgram, type TestProgramOptions } from '../program';
import { at, metadata, NONE_UNPAID, partnerOrder, REQUEST } from './order';

/** A command without its metadata. */
type Step = ExchangeOrderCommand extends infer C ? (C extends unknown ? Omit<C, 'metadata'> : never) : never;
type ExchangeRequest = Extract<ExchangeOrderCommand, { type: 'request' }>['request'];

interface Answer {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  readonly headers: Record<string, string>;
}

let keys = 0;

/** A program whose orders are as their events say: nothing is placed with the partner. */
export async function startOrderProgram(options: TestProgramOptions) {
  const program = await startTestProgram({ roles: ['api', 'projections'], ...options });
  const { app, deps, projected } = program;
  const sourceOf = await deps.use(callerSource);
  async function execute(orderId: string, ...steps: readonly Step[]): Promise<number> {
    let position = -1;
    for (const [i, step] of steps.entries()) {
      const command = { ...step, metadata: metadata(i) } as ExchangeOrderCommand;
      const outcome = await deps.handle(exchangeOrderKind, exchangeOrderStream(orderId), command);
      if (outcome.refusal) throw new Error(outcome.refusal.detail);
      ({ position } = outcome);
    }
    await projected();
    return position;
  }

  /** A request that the partner has not answered with an order. */
  async function requestOrder(wallet: AccountRef, ...steps: readonly Step[]): Promise<string> {
    const orderId = exchangeOrderId(wallet, String(keys++));
    const terms = { ...REQUEST, orderId, wallet, source: sourceOf('127.0.0.1') } as ExchangeRequest;
    await execute(orderId, { type: 'request', request: terms, ...NONE_UNPAID }, ...steps);
    return orderId;
  }

  async function placeOrder(
    wallet: AccountRef,
    always: Partial<PartnerOrder>,
    shown: readonly Partial<PartnerOrder>[],
  ): Promise<string> {
    const orderId = await requestOrder(wallet);
    const order = partnerOrder({ id: orderId, ...always });
    await execute(
      orderId,
      { type: 'startCall' },
      { type: 'recordCreated', order, expiresAt: at(3_600) },
      ...shown.map(more => ({ type: 'observe', order: { ...order, ...more } }) as const),
    );
    return orderId;
  }

  return {
    ...program,
    execute,
    request: requestOrder,
    /** An order of a wallet that the partner, which knows it by the same id, shows with these statuses, one after the other. */
    place: (wallet: AccountRef, ...shown: readonly Partial<PartnerOrder>[]) => placeOrder(wallet, {}, shown),
    /** The same, paid to an address. */
    placePaidTo: (payinAddress: string, ...shown: readonly Partial<PartnerOrder>[]) =>
      placeOrder(REQUEST.wallet, { payinAddress }, shown),
    post: async (path: string, body: object): Promise<Answer> => request(app).post(path).send(body),
    get: async (path: string): Promise<Answer> => request(app).get(path),
  };
}

export type OrderProgram = Awaited<ReturnType<typeof startOrderProgram>>;
