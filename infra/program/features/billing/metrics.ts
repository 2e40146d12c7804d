import { Counter } from 'prom-client';
import type { Registers } from '../../metrics/metrics';

/** Fees of the instance. */
export function billingMetrics(registers: Registers) {
  return {
    payments: new Counter({
      name: 'tidemark_fee_payments_total',
      help: 'Payments with a memo to an address for fees, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
