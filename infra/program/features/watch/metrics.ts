import { Gauge } from 'prom-client';
import type { Registers } from '../../metrics/metrics';

/** Accounts that indexers follow. */
export function watchMetrics(registers: Registers) {
  return {
    accounts: new Gauge({
      name: 'tidemark_watched_accounts',
      help: 'Accounts that the indexers follow because somebody reads them',
      registers,
    }),
  };
}
