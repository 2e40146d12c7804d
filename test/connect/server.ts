import { once, setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { NO_LIMITS, type RateLimits } from '../../contracts/ports/rate-limits';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { openSqliteLog } from '../../infra/engines/log/sqlite/sqlite-log';
import { connectionsProjection } from '../../projections/connect/connections';
import { createProjectionEngine } from '../../projections/engine/engine';
import { connectRoutes } from '../../services/connect/routes';
import { createHandle } from '../../services/handle';
import { createApp } from '../../services/http/app';
import { createAppServer } from '../../services/http/server';
import { createWaitLimit } from '../../services/read-until';

const logger = pino({ level: 'silent' });

export interface ConnectServer {
  readonly url: string;
  /** Milliseconds that its clock is ahead. */
  ahead: number;
  /** From now on documents stay as they are, and no command waits for them. */
  stopProjecting(): Promise<void>;
  events(): Promise<RecordedEvent[]>;
  /** Ends all waiting, as a program that stops. */
  stopWaiting(): void;
  close(): Promise<void>;
}

/** The endpoints of connections on the embedded engines, in a fresh folder. */
export async function startConnectServer({
  limits = NO_LIMITS,
  maxWaiting = 0,
}: { limits?: RateLimits; maxWaiting?: number } = {}): Promise<ConnectServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-connect-'));
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  const log = openSqliteLog({ path: join(folder, 'log.sqlite') });
  const [stop, stopProjecting] = [new AbortController(), new AbortController()];
  let foldWaitMs = 60_000;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const clock = (): Date => new Date(Date.now() + running.ahead);
  const engine = createProjectionEngine({
    projections: [connectionsProjection],
    documents,
    store,
    log,
    clock,
    logger,
    signal: stop.signal,
  });
  const projecting = engine.run(stopProjecting.signal);
  const bindings = connectRoutes({
    store,
    views: engine.views,
    handle: createHandle({ store }),
    get foldWaitMs() {
      return foldWaitMs;
    },
    waitLimit: createWaitLimit(maxWaiting),
    waitMs: 600_000,
    clock,
  });
  const app = createApp(bindings, {
    logger,
    trustedProxies: 0,
    checkResponses: true,
    limits,
    stopping: stopping.signal,
  });
  const server: Server = createAppServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const running: ConnectServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ahead: 0,
    stopWaiting: () => stopping.abort(),
    async stopProjecting() {
      foldWaitMs = 0;
      stopProjecting.abort();
      await projecting;
    },
    async events() {
      const all: RecordedEvent[] = [];
      for await (const page of store.readAll()) all.push(...page);
      return all;
    },
    async close() {
      stopping.abort();
      server.closeAllConnections();
      server.close();
      stopProjecting.abort();
      stop.abort();
      await Promise.allSettled([projecting]);
      await Promise.all([store.close(), documents.close(), log.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return running;
}
