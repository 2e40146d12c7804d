import { exchangeMetrics } from './metrics';
import { openPlacingJobs, placingReaction } from '../../../../services/exchange/order/reaction';
import {
  EXCHANGE_CLAIM_RETENTION,
  EXCHANGE_ORDER_RETENTION,
} from '../../../../services/exchange/order/retention';
import { PLACING_AT_A_TIME, workPlacing } from '../../../../services/exchange/order/worker';
import type { Feature } from '../../feature';
import { jobHandlers } from '../../roles/jobs';
import { count } from '../../../config/settings';

/** Less than a day, of which the app's countdown shows the hours alone. */
const settings = { EXCHANGE_FLOAT_ORDER_HOURS: count.min(1).max(720).default(23) };

const HOUR_MS = 3_600_000;

/** Places requested exchange orders with the partner, once each. */
export const exchangePlacing: Feature = {
  name: 'exchange-placing',
  settings,
  bounds: [PLACING_AT_A_TIME],
  retentions: [EXCHANGE_ORDER_RETENTION, EXCHANGE_CLAIM_RETENTION],
  reactions: () => [placingReaction],
  reenqueue: ({ engines: { store } }) => [{ name: placingReaction.name, jobs: () => openPlacingJobs(store) }],
  workers: [
    jobHandlers('exchange_placing', ({ config, engines, sources, handle, clock, logger, metrics }) => {
      const deps = {
        store: engines.store,
        jobs: engines.jobs,
        handle,
        partner: () => sources.clients.exchange(),
        floatOrderTtlMs: config.of(settings).EXCHANGE_FLOAT_ORDER_HOURS * HOUR_MS,
        clock,
        logger,
        onOutcome: (outcome: string) => metrics.of(exchangeMetrics).placing.inc({ outcome }),
      };
      return [signal => workPlacing(deps, signal)];
    }),
  ],
};
