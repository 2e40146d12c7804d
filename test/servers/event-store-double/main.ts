import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { becomeReady, NOT_READY } from './readiness';
import { newNodeState, type NodeState } from './node-state';
import { startNode } from './start-node';
import { openServerLog } from './server-log';
import { openStreams } from './streams';

/*
 * node main.js [--empty-checkpoints] [--slow-scans] <folder> <port> [<certificate> <key> <user:password>]
 *
 * A double of EventStoreDB: implements the part of its gRPC protocol that clients of streams use, over the embedded event
 * store. Its responses follow the source of the server. To verify them, run the same tests against a real server with
 * EVENTSTORE_URL.
 */

const SCAN_MS = 2;

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: { 'empty-checkpoints': { type: 'boolean' }, 'slow-scans': { type: 'boolean' } },
    allowPositionals: true,
  });
  const [folder, port, certificate, key, credentials] = positionals as [string, string, ...string[]];
  mkdirSync(folder, { recursive: true });
  const store = await openServerLog(openSqliteEventStore({ path: join(folder, 'events.sqlite') }));
  const state: NodeState = {
    ...newNodeState(),
    hasEmptyCheckpoints: values['empty-checkpoints'] === true,
    ...(values['slow-scans'] && { scan: () => pause(SCAN_MS) }),
    ...NOT_READY,
  };
  const stop = await startNode({
    store,
    streams: await openStreams(store),
    port: Number(port),
    state,
    ...(certificate && key && { tls: { certificate: readFileSync(certificate), key: readFileSync(key) } }),
    ...(credentials && { credentials }),
  });
  void becomeReady(state);
  process.on('SIGTERM', () => {
    stop();
    // A TLS connection that is not established yet is no session, so that it is left open and would keep the process running.
    void store.close().finally(() => process.exit());
  });
};

void main();
