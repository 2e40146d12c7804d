import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import express, { Router } from 'express';
import { Reply } from '../../services/http/call';
import type { ConnectionObserver } from '../../services/http/connections';
import { sendRaw } from '../../services/http/send';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { close, listen } from './listen';

const LATENCIES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const POLL_LAGS = [0.5, 1, 2, 5, 10, 30, 60, 300, 1_800, 7_200];

/** The metrics of one running program, in a registry of their own so that two can live in one process. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    httpSeconds: new Histogram({
      name: 'tidemark_http_request_duration_seconds',
      help: 'Time from the request to the end of its response',
      labelNames: ['route', 'method', 'status'],
      buckets: LATENCIES,
      registers,
    }),
    refusedConnections: new Counter({
      name: 'tidemark_http_connections_refused_total',
      help: 'Connections closed at once because MAX_CONNECTIONS was reached',
      registers,
    }),
    unreadConnections: new Counter({
      name: 'tidemark_http_unread_connections_closed_total',
      help: 'Connections closed because their clients did not read what was sent to them',
      registers,
    }),
    streams: new Gauge({
      name: 'tidemark_stream_connections',
      help: 'Open event streams and WebSockets',
      labelNames: ['route'],
      registers,
    }),
    streamFrames: new Counter({
      name: 'tidemark_stream_frames_total',
      help: 'Events and messages of event streams and WebSockets, without pings',
      labelNames: ['route', 'direction'],
      registers,
    }),
    jwksFetches: new Counter({
      name: 'tidemark_jwks_fetches_total',
      help: 'Fetches of the keys that verify tokens, by outcome',
      labelNames: ['issuer', 'outcome'],
      registers,
    }),
    jwksStaleSeconds: new Gauge({
      name: 'tidemark_jwks_stale_seconds',
      help: 'Age of the keys that are used although newer ones could not be fetched, at the last attempt; else 0. JWKS_STALE_SECONDS limits it',
      labelNames: ['issuer'],
      registers,
    }),
    appendSeconds: new Histogram({
      name: 'tidemark_event_append_duration_seconds',
      help: 'Time until an append to the event store was durable',
      buckets: LATENCIES,
      registers,
    }),
    projectionLag: new Gauge({
      name: 'tidemark_projection_lag',
      help: 'Events or records that a projection has not folded yet',
      labelNames: ['projection'],
      registers,
    }),
    projectionStopped: new Gauge({
      name: 'tidemark_projection_stopped',
      help: '1 while a projection is stopped by an input that could not be folded',
      labelNames: ['projection'],
      registers,
    }),
    projectionMissingEvents: new Gauge({
      name: 'tidemark_projection_missing_events',
      help: 'Events of the event store that a projection lacks although it has folded later ones; it has to be built again',
      labelNames: ['projection'],
      registers,
    }),
    indexedHeight: new Gauge({
      name: 'tidemark_indexer_indexed_height',
      help: 'Block (masterchain seqno or slot) up to which everything is published',
      labelNames: ['chain', 'network'],
      registers,
    }),
    indexerLag: new Gauge({
      name: 'tidemark_indexer_lag_blocks',
      help: 'Blocks between the indexed height and the tip of the chain',
      labelNames: ['chain', 'network'],
      registers,
    }),
    indexerStalled: new Gauge({
      name: 'tidemark_indexer_stalled',
      help: '1 while an indexer waits for a block that it cannot read',
      labelNames: ['chain', 'network'],
      registers,
    }),
    watchedAccounts: new Gauge({
      name: 'tidemark_watched_accounts',
      help: 'Accounts that the indexers follow because somebody reads them',
      registers,
    }),
    ready: new Gauge({
      name: 'tidemark_ready',
      help: '1 while every vital check of /health/ready passes',
      registers,
    }),
    failedChecks: new Gauge({
      name: 'tidemark_health_check_failed',
      help: '1 while a check of /health/ready fails',
      labelNames: ['check'],
      registers,
    }),
    dataDirFreeBytes: new Gauge({
      name: 'tidemark_data_dir_free_bytes',
      help: 'Free space of the file system of DATA_DIR',
      registers,
    }),
    dataDirSizeBytes: new Gauge({
      name: 'tidemark_data_dir_size_bytes',
      help: 'Size of the file system of DATA_DIR',
      registers,
    }),
    jobs: new Gauge({
      name: 'tidemark_jobs',
      help: 'Jobs of a queue that wait, run, or have failed on their last attempt',
      labelNames: ['queue', 'state'],
      registers,
    }),
    published: new Counter({
      name: 'tidemark_published_records_total',
      help: 'Records that indexers have published to the log',
      labelNames: ['chain', 'network'],
      registers,
    }),
    deadLetters: new Counter({
      name: 'tidemark_dead_letters_total',
      help: 'Raw inputs that went to a dead-letter topic, by reason: not decodable, or not the bytes of their transaction',
      labelNames: ['chain', 'network', 'reason'],
      registers,
    }),
    bridgeMessages: new Counter({
      name: 'tidemark_bridge_messages_total',
      help: 'Messages posted to the TON Connect bridge, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    bridgeDelivered: new Counter({
      name: 'tidemark_bridge_delivered_messages_total',
      help: 'Messages written to event streams of the TON Connect bridge, again to a client that reconnects',
      registers,
    }),
    clientErrors: new Counter({
      name: 'tidemark_client_errors_total',
      help: 'Errors that wallets have reported, by outcome: counted for the error, or among others because there are too many',
      labelNames: ['outcome'],
      registers,
    }),
    storedClientErrors: new Gauge({
      name: 'tidemark_client_errors_stored',
      help: 'Different errors of wallets that are stored; MAX_CLIENT_ERRORS limits them',
      registers,
    }),
    partnerRequests: new Histogram({
      name: 'tidemark_exchange_partner_request_duration_seconds',
      help: 'Duration of requests to the exchange partner, by method and outcome; waiting for the budget is not counted',
      labelNames: ['method', 'outcome'],
      registers,
    }),
    exchangePlacing: new Counter({
      name: 'tidemark_exchange_placing_total',
      help: 'Steps of exchange orders on their way to the partner, by outcome; abandoned ones have to be looked into',
      labelNames: ['outcome'],
      registers,
    }),
    exchangePolls: new Counter({
      name: 'tidemark_exchange_polls_total',
      help: 'Polls of exchange orders at the partner, by the pace of their schedule and by outcome',
      labelNames: ['pace', 'outcome'],
      registers,
    }),
    exchangePollLag: new Histogram({
      name: 'tidemark_exchange_poll_lag_seconds',
      help: 'How late exchange orders are polled',
      labelNames: ['pace'],
      buckets: POLL_LAGS,
      registers,
    }),
    exchangeSkippedSlots: new Counter({
      name: 'tidemark_exchange_polls_skipped_total',
      help: 'Polls of exchange orders that were left out, because an earlier one of the order was so late',
      labelNames: ['pace'],
      registers,
    }),
    pushDevices: new Gauge({
      name: 'tidemark_push_devices',
      help: 'Devices registered for notifications',
      registers,
    }),
    pushNotifications: new Counter({
      name: 'tidemark_push_notifications_total',
      help: 'Attempts to send a notification to a device, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    pushReceipts: new Counter({
      name: 'tidemark_push_receipts_total',
      help: 'Accepted notifications, by what the sender said of their delivery later',
      labelNames: ['outcome'],
      registers,
    }),
    pushRequests: new Histogram({
      name: 'tidemark_push_request_duration_seconds',
      help: 'Duration of requests to the push service, by method and outcome',
      labelNames: ['method', 'outcome'],
      registers,
    }),
    feePayments: new Counter({
      name: 'tidemark_fee_payments_total',
      help: 'Payments with a memo to an address for fees, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Counts the connections of a route that stay open, and what is sent over them. */
export function streamMetrics({ streams, streamFrames }: Metrics, route: string): ConnectionObserver {
  const open = streams.labels(route);
  const [sent, received] = ['sent', 'received'].map(direction => streamFrames.labels(route, direction));
  return {
    opened: () => open.inc(),
    closed: () => open.dec(),
    sent: () => sent!.inc(),
    received: () => received!.inc(),
  };
}

/** `GET /metrics` in the Prometheus text format; `refresh` updates gauges before each scrape. */
export function metricsRouter({ registry }: Metrics, refresh: () => Promise<unknown>): Router {
  const router = Router();
  router.get('/metrics', async (request, response) => {
    await refresh();
    await sendRaw(request, response, new Reply(await registry.metrics()), registry.contentType);
  });
  return router;
}

/** Serves a page of metrics at an address of its own. @throws WrongSettings */
export async function serveMetrics(
  page: Router,
  at: { readonly host: string; readonly port: number },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const app = express().disable('x-powered-by');
  app.use((_request, response, next) => {
    response.locals.requestId = randomUUID();
    next();
  });
  const server = createServer(app.use(page));
  const settings = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
  return { url: await listen(server, { ...at, settings }), close: () => close(server) };
}
