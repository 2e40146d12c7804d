import type { Logger } from 'pino';
import { EngineUnavailable } from '../../../contracts/engine-unavailable';
import {
  CONNECTION_REMEMBERED_MS,
  MAX_CONNECTION_ORIGINS,
  type ConnectionOrigin,
  type ConnectionOrigins,
} from '../../../contracts/ports/connection-origins';
import { closeClient, createClient } from '../redis/client';

interface RedisOriginsOptions {
  readonly url: string;
  /** Prefix of all keys. */
  readonly prefix: string;
  readonly logger: Logger;
}

/** The origins of the connections of all processes: a sorted set for each client, by time. */
export function openRedisOrigins({
  url,
  prefix,
  logger,
}: RedisOriginsOptions): ConnectionOrigins & { close(): Promise<void> } {
  const client = createClient(url, 'failFast', logger);
  const keyOf = (of: string): string => `${prefix}:${of}`;
  return {
    add(clients, { origin, ip }) {
      const commands = client.pipeline();
      for (const key of clients.map(keyOf))
        commands
          .zadd(key, Date.now(), JSON.stringify([origin, ip]))
          .zremrangebyrank(key, 0, -MAX_CONNECTION_ORIGINS - 1)
          .pexpire(key, CONNECTION_REMEMBERED_MS);
      commands.exec().catch((err: unknown) => logger.debug({ err }, 'origin of a connection not stored'));
    },
    async of(of) {
      try {
        const since = Date.now() - CONNECTION_REMEMBERED_MS;
        const stored = await client.zrangebyscore(keyOf(of), since, '+inf');
        return stored.map((text): ConnectionOrigin => {
          const [origin, ip] = JSON.parse(text) as [string, string];
          return { origin, ip };
        });
      } catch (error) {
        throw new EngineUnavailable('mailbox', (error as Error).message, { cause: error });
      }
    },
    close: () => closeClient(client),
  };
}
