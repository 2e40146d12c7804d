import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const LATENCIES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Of what all groups stand on. */
export function programMetrics(registers: Registry[]) {
  return {
    ...httpMetrics(registers),
    ...tokenMetrics(registers),
    ...projectionMetrics(registers),
    ...indexerMetrics(registers),
    ...healthMetrics(registers),
  };
}

/** Of connections, calls and streams. */
function httpMetrics(registers: Registry[]) {
  return {
    httpSeconds: new Histogram({
      name: 'tidemark_http_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its response, the wait for its turn included',
      labelNames: ['route', 'method', 'status'],
      buckets: LATENCIES,
      registers,
    }),
    refusedConnections: new Counter({
      name: 'tidemark_http_connections_refused_total',
      help: 'Connections closed at once because of MAX_CONNECTIONS or MAX_CONNECTIONS_PER_CALLER, whose unfinished requests took most memory, or on which much more was sent at once than clients send',
      registers,
    }),
    brokenClients: new Counter({
      name: 'tidemark_http_broken_clients_total',
      help: 'Connections closed because their clients did not follow the protocol, HTTP or WebSocket, or sent too many messages',
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
  };
}

/** Of the keys that verify tokens. */
function tokenMetrics(registers: Registry[]) {
  return {
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
  };
}

/** Of the event store and what is folded from it. */
function projectionMetrics(registers: Registry[]) {
  return {
    appendSeconds: new Histogram({
      name: 'tidemark_event_append_duration_seconds',
      help: 'Time until an append to the event store was durable',
      buckets: LATENCIES,
      registers,
    }),
    eventStoreCalls: new Counter({
      name: 'tidemark_event_store_calls_total',
      help: 'Calls of the event store, each a round trip to its server',
      labelNames: ['call'],
      registers,
    }),
    eventStoreInterruptions: new Counter({
      name: 'tidemark_event_store_subscription_interruptions_total',
      help: 'Subscriptions to the event store that were interrupted and went on where they were: slow_consumer where the server dropped one whose live events were not taken fast enough',
      labelNames: ['reason'],
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
  };
}

/** Of what is published of chains. */
function indexerMetrics(registers: Registry[]) {
  return {
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

/** Of the state of the program, its disk and its jobs. */
function healthMetrics(registers: Registry[]) {
  return {
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
  };
}
