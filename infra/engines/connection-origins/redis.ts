import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { EngineUnavailable } from '../../../contracts/engine/engine-unavailable';
import {
  CONNECTION_REMEMBERED_MS,
  MAX_ADDRESSES,
  MAX_ORIGINS,
  type ConnectionOrigins,
} from '../../../contracts/ports/connection-origins';
import { closeClient, createClient } from '../redis/client';
import { createOpenStreams } from './open-streams';

interface RedisOriginsOptions {
  readonly url: string;
  /** Prefix of all keys. */
  readonly prefix: string;
  readonly logger?: Logger;
  /** Milliseconds since the epoch; default: the clock of Redis, which all processes share. */
  readonly clock?: () => number;
  readonly refreshMs?: number;
}

/*
 * A sorted set for each client: `<origin> <address> <number in the order of first uses>`, scored by its last use; and an empty member,
 * scored by when there was no room for another origin.
 */

const REMOVE_UNUSED = `
  local now = tonumber(ARGV[1])
  if not now then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${CONNECTION_REMEMBERED_MS})`;

/** KEYS: of the client. ARGV: now or '', origin, address. */
const STORE = `${REMOVE_UNUSED}
  local origin, used, member = ARGV[2], ARGV[2] .. ' ' .. ARGV[3] .. ' ', nil
  local members = redis.call('ZRANGE', KEYS[1], 0, -1)
  for _, each in ipairs(members) do
    if each:sub(1, #used) == used then member = each end
  end
  if not member then
    local origins, addresses, last, seen = 0, 0, 0, {}
    for _, each in ipairs(members) do
      local of, number = each:match('^(%S*) %S* ?(%d*)$')
      last = math.max(last, tonumber(number) or 0)
      if of == origin then addresses = addresses + 1 end
      if of and not seen[of] then
        seen[of] = true
        origins = origins + 1
      end
    end
    member = used .. (last + 1)
    if addresses >= ${MAX_ADDRESSES} then return end
    if addresses == 0 and origins >= ${MAX_ORIGINS} then member = '' end
  end
  redis.call('ZADD', KEYS[1], now, member)
  redis.call('PEXPIRE', KEYS[1], ${CONNECTION_REMEMBERED_MS})`;

/** KEYS: of the client. ARGV: now or ''. Returns its members. */
const READ = `${REMOVE_UNUSED}
  return redis.call('ZRANGE', KEYS[1], 0, -1)`;

interface ScriptClient {
  originsStore(key: string, now: number | '', origin: string, ip: string): Promise<void>;
  originsRead(key: string, now: number | ''): Promise<string[]>;
}

/** The origins of the connections of all processes. */
export function openRedisOrigins(options: RedisOriginsOptions): ConnectionOrigins {
  const { url, prefix, logger, clock, refreshMs } = options;
  const client: Redis = createClient(url, 'failFast', logger);
  client.defineCommand('originsStore', { lua: STORE, numberOfKeys: 1 });
  client.defineCommand('originsRead', { lua: READ, numberOfKeys: 1 });
  const scripts = client as unknown as ScriptClient;
  const keyOf = (of: string): string => `${prefix}:${of}`;
  const now = (): number | '' => (clock ? Math.floor(clock()) : '');
  const { opened, close } = createOpenStreams(
    (clients, { origin, ip }) =>
      Promise.all(clients.map(of => scripts.originsStore(keyOf(of), now(), origin, ip))).catch(
        (err: unknown) => {
          logger?.debug({ err }, 'origin of a connection not stored');
          throw err;
        },
      ),
    refreshMs,
  );
  return {
    opened,
    async of(of) {
      try {
        const members = await scripts.originsRead(keyOf(of), now());
        const used = members.filter(Boolean).map(text => {
          const [origin, ip, number] = text.split(' ') as [string, string, string?];
          return { origin, ip, number: Number(number ?? 0) };
        });
        used.sort((a, b) => a.number - b.number);
        return {
          origins: used.map(({ origin, ip }) => ({ origin, ip })),
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
