import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compiledPath } from '../../infra/engines/compiled-path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { normalizeConnectionString } from '../../infra/engines/event-store/eventstoredb/connection-string';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import { freePorts, startProgram } from './program';
import { startServerProcess } from './server-process';
import { DOUBLE } from './event-store-double/node-state';
import type { Identity, TestServer } from './server';

export const PROGRAM = compiledPath(join(__dirname, 'event-store-double', 'main.ts'));
/** What the client itself has asked the server. */
interface Asked {
  readonly capabilities: Promise<{ readonly serverVersion: string }>;
}

const START_TIMEOUT_MS = 300_000;

/** By its version, which the double has of its own. */
export async function identify(url: string): Promise<Identity> {
  const client = EventStoreDBClient.connectionString(normalizeConnectionString(url));
  try {
    const { serverVersion } = await (client as unknown as Asked).capabilities;
    return { kind: serverVersion === DOUBLE ? 'double' : 'real', version: serverVersion };
  } finally {
    await client.dispose();
  }
}

/**
 * The server is not publicly downloadable: this is a double of its protocol, in a child process.
 * @param flags of the double
 */
export function doubleOfEventStoreDb(...flags: readonly string[]): TestServer {
  return {
    name: 'EventStoreDB',
    kind: 'double',
    identify,
    setting: 'EVENTSTORE_URL',

    start: async folder => {
      await mkdir(folder, { recursive: true });
      const [port] = (await freePorts(1)) as [number];
      const url = `esdb://127.0.0.1:${port}?tls=false`;
      return startServerProcess({
        folder,
        url,
        start: () =>
          startProgram(
            process.execPath,
            [PROGRAM, ...flags, join(folder, 'data'), String(port)],
            join(folder, 'output.log'),
          ),
        ask: async () => (await openEventStoreDb({ url })).close(),
        timeoutMs: START_TIMEOUT_MS,
        version: () => 'a double over the embedded event store',
      });
    },
  };
}

export const eventstoredb = doubleOfEventStoreDb();
