import { Counter, Gauge } from 'prom-client';
import type { Registers } from '../../metrics/metrics';

/** Errors that wallets report. */
export function clientErrorMetrics(registers: Registers) {
  return {
    reported: new Counter({
      name: 'tidemark_client_errors_total',
      help: 'Errors that wallets have reported, by outcome: counted for the error, or among others because there are too many',
      labelNames: ['outcome'],
      registers,
    }),
    stored: new Gauge({
      name: 'tidemark_client_errors_stored',
      help: 'Different errors of wallets that are stored; MAX_CLIENT_ERRORS limits them',
      registers,
    }),
  };
}
