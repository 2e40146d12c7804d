import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { newNodeState, type NodeState } from './node-state';
import { startNode } from './start-node';
import { openScavengedStore } from './scavenging';
import { openStreams } from './streams';

/*
 * node main.js [--empty-checkpoints] [--slow-scans] <folder> <port> [<certificate> <key> <user:password>]
 *
 * A double of EventStoreDB: implements the part of its gRPC protocol that clients of streams use, over the embedded event
 * store. Its responses follow the source of the server. To verify them, run the same tests against a real server with
 * EVENTSTORE_URL.
 */

const SCAN_MS = 2;

/** How long it takes nothing after its start, as the server does. */
const STARTING_MS = 300;

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: { 'empty-checkpoints': { type: 'boolean' }, 'slow-scans': { type: 'boolean' } },
    allowPositionals: true,
  });
  const [folder, port, certificate, key, credentials] = positionals as [string, string, ...string[]];
  mkdirSync(folder, { recursive: true });
  const store = await openScavengedStore(openSqliteEventStore({ path: join(folder, 'events.sqlite') }));
  const state: NodeState = {
    ...newNodeState(),
    hasEmptyCheckpoints: values['empty-checkpoints'] === true,
    ...(values['slow-scans'] && { scan: () => pause(SCAN_MS) }),
    rejectsAppends: 'Server Is Not Ready',
    rejectsReads: 'Server Is Not Ready',
  };
  const stop = await startNode({
    store,
    streams: await openStreams(store),
    port: Number(port),
    state,
    ...(certificate && key && { tls: { certificate: readFileSync(certificate), key: readFileSync(key) } }),
    ...(credentials && { credentials }),
  });
  setTimeout(() => Object.assign(state, { rejectsAppends: null, rejectsReads: null }), STARTING_MS);
  process.on('SIGTERM', () => {
    stop();
    // A TLS connection that is not established yet is no session, so that it is left open and would keep the process running.
    void store.close().finally(() => process.exit());
  });
};

void main();
