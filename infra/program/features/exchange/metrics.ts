import { Counter, Histogram } from 'prom-client';
import type { Registers } from '../../metrics/metrics';

const POLL_LAGS = [0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 7_200];

/** Exchange orders and the partner. */
export function exchangeMetrics(registers: Registers) {
  return {
    partnerRequests: new Histogram({
      name: 'tidemark_exchange_partner_request_duration_seconds',
      help: 'Duration of requests to the exchange partner, by method and outcome; waiting for the budget is not counted',
      labelNames: ['method', 'outcome'],
      registers,
    }),
    placing: new Counter({
      name: 'tidemark_exchange_placing_total',
      help: 'Steps of exchange orders on their way to the partner, by outcome; abandoned ones have to be looked into',
      labelNames: ['outcome'],
      registers,
    }),
    polls: new Counter({
      name: 'tidemark_exchange_polls_total',
      help: 'Polls of exchange orders at the partner, by the pace of their schedule and by outcome',
      labelNames: ['pace', 'outcome'],
      registers,
    }),
    pollLag: new Histogram({
      name: 'tidemark_exchange_poll_lag_seconds',
      help: 'How late exchange orders are polled',
      labelNames: ['pace'],
      buckets: POLL_LAGS,
      registers,
    }),
    skippedPolls: new Counter({
      name: 'tidemark_exchange_polls_skipped_total',
      help: 'Polls of exchange orders that were left out, because an earlier one of the order was so late',
      labelNames: ['pace'],
      registers,
    }),
  };
}
