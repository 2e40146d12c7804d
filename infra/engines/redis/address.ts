import { CannotOpen } from '../cannot-open';

/** Where a Redis is, as it may be shown: without user and password. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly database: number;
}

/** Reads `redis://[user:password@]host[:port][/database]`; `rediss://` is the same over TLS. @throws CannotOpen */
export function redisAddress(url: string): RedisAddress {
  if (!URL.canParse(url))
    throw new CannotOpen('REDIS_URL', 'it is not a URL, such as redis://localhost:6379');
  const { protocol, hostname, port, pathname } = new URL(url);
  if (protocol !== 'redis:' && protocol !== 'rediss:')
    throw new CannotOpen('REDIS_URL', `it begins with ${protocol}//, not with redis:// or rediss://`);
  if (hostname === '') throw new CannotOpen('REDIS_URL', 'it names no host');
  const database = /^\/?(\d*)$/.exec(pathname)?.[1];
  if (database === undefined)
    throw new CannotOpen('REDIS_URL', 'what follows the host is the number of a database, such as /0');
  return { host: hostname, port: Number(port || 6379), database: Number(database) };
}
