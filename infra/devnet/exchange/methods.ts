import { marketMethods } from './market-methods';
import type { Method, MethodsOptions } from './method';
import { orderMethods } from './order-methods';

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

/** The methods of the API by their names: https://docs.changelly.com */
export function createMethods(options: MethodsOptions): Readonly<Record<MethodName, Method>> {
  return { ...marketMethods(options), ...orderMethods(options) };
}
