import { exchangeMetrics } from './metrics';
import { z } from 'zod';
import { earnedFees } from '../../../../services/billing/earned/reaction';
import { exchangeCommissions, exchangeEarnings } from '../../../../services/exchange/commission/jobs';
import { workCommissions } from '../../../../services/exchange/commission/worker';
import { orderTracking, trackingJobs } from '../../../../services/exchange/tracking/jobs';
import { workOrderTracking, type OrderPoll } from '../../../../services/exchange/tracking/worker';
import { jobsOfEvents } from '../../../../services/reactions/event-reaction';
import type { Feature } from '../../feature';
import type { Metrics } from '../../metrics/metrics';
import { jobHandlers } from '../../roles/jobs';

const settings = {
  EXCHANGE_VALUATION_CURRENCY: z
    .string()
    .regex(/^[a-z0-9]{1,20}$/, 'must be the ticker of a currency, in lower case')
    .optional(),
};

const EQUAL_TO_USD = 'usdton';

const earnings = earnedFees(exchangeEarnings);

/** Follows exchange orders at the partner to their end, and records what they earn as fees. */
export const exchangeTracking: Feature = {
  name: 'exchange-tracking',
  settings,
  reactions: ({ engines: { store } }) => [
    orderTracking(store, () => new Date()),
    exchangeCommissions,
    earnings,
  ],
  reenqueue: ({ engines: { store }, clock }) => [
    { name: 'exchange-tracking', jobs: () => trackingJobs(store, clock) },
    ...[exchangeCommissions, earnings].map(reaction => ({
      name: reaction.name,
      jobs: () => jobsOfEvents(store, reaction),
    })),
  ],
  workers: [
    jobHandlers('exchange', ({ config, engines, sources, handle, clock, logger, metrics }) => {
      const partner = (): ReturnType<typeof sources.clients.exchange> => sources.clients.exchange();
      const shared = { ...engines, partner, handle, clock, logger };
      const isUsd = config.INSTANCE_CURRENCY === 'USD';
      const valuationCurrency =
        config.of(settings).EXCHANGE_VALUATION_CURRENCY ?? (isUsd ? EQUAL_TO_USD : null);
      return [
        signal => workOrderTracking({ ...shared, onPoll: poll => count(metrics, poll) }, signal),
        signal => workCommissions({ ...shared, valuationCurrency }, signal),
      ];
    }),
  ],
};

function count(metrics: Metrics, { pace, outcome, lagMs, skipped }: OrderPoll): void {
  const { polls, pollLag, skippedPolls } = metrics.of(exchangeMetrics);
  polls.inc({ pace, outcome });
  pollLag.observe({ pace }, lagMs / 1_000);
  skippedPolls.inc({ pace }, skipped);
}
