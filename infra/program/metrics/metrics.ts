import { Router } from 'express';
import { Reply } from '../../../services/http/call';
import type { ConnectionObserver } from '../../../services/http/connections';
import { sendRaw } from '../../../services/http/send';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const LATENCIES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Where metrics are registered. */
export type Registers = Registry[];

/** Makes the metrics of a functional group. */
export type DefineMetrics<Defined = unknown> = (registers: Registers) => Defined;

/**
 * The metrics of one running program, in a registry of their own so that two can live in one process.
 * @param definitions of groups; each is made once
 */
export function createMetrics(definitions: readonly DefineMetrics[] = []) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const made = new Map<DefineMetrics, unknown>(definitions.map(define => [define, define([registry])]));
  return {
    ...programMetrics([registry]),
    registry,
    /** Those of a group. @throws where it does not declare them: nobody would see them */
    of<Defined>(define: DefineMetrics<Defined>): Defined {
      if (!made.has(define)) throw new Error('metrics that are not among those of a feature');
      return made.get(define) as Defined;
    },
  };
}

/** Of what all groups stand on. */
function programMetrics(registers: Registers) {
  return {
    httpSeconds: new Histogram({
      name: 'tidemark_http_request_duration_seconds',
      help: 'Time from the request to the end of its response',
      labelNames: ['route', 'method', 'status'],
      buckets: LATENCIES,
      registers,
    }),
    refusedConnections: new Counter({
      name: 'tidemark_http_connections_refused_total',
      help: 'Connections closed at once because of MAX_CONNECTIONS or MAX_CONNECTIONS_PER_CALLER, or whose unfinished requests took most memory',
      registers,
    }),
    brokenClients: new Counter({
      name: 'tidemark_http_broken_clients_total',
      help: 'Connections closed because their clients did not follow the protocol, HTTP or WebSocket',
      labelNames: ['protocol'],
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
