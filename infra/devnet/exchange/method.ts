import type { Fault } from './faults';
import type { OrderStore } from './order-store';
import { amountIn, type Pair } from './pairs';
import type { Rates } from './rates';
import { invalidParameter } from './rpc-error';
import type { ScenarioName } from './scenarios';

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

/** @throws RpcError unless exactly one of them is given */
export function oneAmount(
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
