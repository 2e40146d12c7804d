import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { EngineUnavailable } from '../../../contracts/engine/engine-unavailable';
import { shareOf } from '../../../contracts/bound';
import type { ConnectionOrigins } from '../../../contracts/ports/connection-origins';
import { closeClient, createClient } from '../redis/client';
import { createOpenStreams } from './open-streams';
import { READ, STORE } from './scripts';

interface RedisOriginsOptions {
  readonly url: string;
  /** Prefix of all keys. */
  readonly prefix: string;
  readonly logger?: Logger;
  /** Milliseconds since the epoch; default: the clock of Redis, which all processes share. */
  readonly clock?: () => number;
  readonly refreshMs?: number;
  readonly maxClients?: number;
}

/** Clients remembered at a time, of all processes. */
export const MAX_SHARED_CLIENTS = 200_000;

interface ScriptClient {
  originsStore(...keysAndArguments: readonly (string | number)[]): Promise<void>;
  originsRead(key: string, now: number | ''): Promise<string[]>;
}

/** The origins of the connections of all processes. */
export function openRedisOrigins(options: RedisOriginsOptions): ConnectionOrigins {
  const { url, prefix, logger, clock, refreshMs, maxClients = MAX_SHARED_CLIENTS } = options;
  const client: Redis = createClient(url, 'failFast', logger);
  client.defineCommand('originsStore', { lua: STORE, numberOfKeys: 5 });
  client.defineCommand('originsRead', { lua: READ, numberOfKeys: 1 });
  const scripts = client as unknown as ScriptClient;
  const shared = ['used', 'first', 'named', 'forgotten'].map(name => `${prefix}-${name}`);
  const keyOf = (of: string): string => `${prefix}:${of}`;
  const now = (): number | '' => (clock ? Math.floor(clock()) : '');
  const { opened, close } = createOpenStreams(async (clients, { origin, network }) => {
    const store = (of: string) =>
      scripts.originsStore(
        ...[keyOf(of), ...shared],
        ...[now(), origin, network, of, keyOf(''), maxClients, shareOf(maxClients)],
      );
    try {
      await Promise.all(clients.map(store));
    } catch (err) {
      logger?.debug({ err }, 'origin of a connection not stored');
      throw err;
    }
  }, refreshMs);
  return {
    opened,
    async of(of) {
      try {
        const members = await scripts.originsRead(keyOf(of), now());
        const used = members.filter(Boolean).map(text => {
          const [origin, network, number] = text.split(' ') as [string, string, string?];
          return { origin, network, number: Number(number ?? 0) };
        });
        used.sort((a, b) => a.number - b.number);
        return {
          origins: used.map(({ origin, network }) => ({ origin, network })),
          mayBeMore: members.includes(''),
        };
      } catch (error) {
        throw new EngineUnavailable('mailbox', (error as Error).message, { cause: error });
      }
    },
    close: async () => {
      close();
      await closeClient(client);
    },
  };
}
