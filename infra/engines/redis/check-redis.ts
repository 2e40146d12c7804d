import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { parseUrl } from '../../../contracts/url/parse-url';
import { CannotOpen } from '../../config/cannot-open';
import { OPEN_TIMEOUT_MS } from '../open-timeout';

const MIN_VERSION = [6, 2] as const;

/** Where a Redis is, without user and password: safe to show. */
interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

/** Parses `redis://[user:password@]host[:port][/database]`; `rediss://` is the same over TLS. @throws CannotOpen */
function redisAddress(url: string): RedisAddress {
  const parsed = parseUrl(url);
  if (!parsed) throw new CannotOpen('REDIS_URL', 'it is not a URL, such as redis://localhost:6379');
  const { protocol, hostname, port, pathname } = parsed;
  if (protocol !== 'redis:' && protocol !== 'rediss:')
    throw new CannotOpen('REDIS_URL', `it begins with ${protocol}//, not with redis:// or rediss://`);
  if (hostname === '') throw new CannotOpen('REDIS_URL', 'it names no host');
  if (!/^\/?(\d*)$/.test(pathname))
    throw new CannotOpen('REDIS_URL', 'what follows the host must be the number of a database, such as /0');
  return { host: hostname, port: Number(port || 6379) };
}

const reasonOf = ({ host, port }: RedisAddress, error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  const at = `${host}:${port}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host ${host} cannot be resolved`;
  if (code === 'ECONNREFUSED') return `nothing listens at ${at}`;
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return `no answer from ${at}`;
  if (/timed out/.test(message)) return `no answer from ${at}`;
  if (/^NOAUTH/.test(message)) return `the Redis at ${at} requires a password, and the URL has none`;
  if (/^WRONGPASS|AUTH failed/.test(message)) return `the Redis at ${at} rejects the user or the password`;
  if (/^NOPERM/.test(message)) return `the user of the URL lacks a permission at ${at}: ${message}`;
  if (/\bOOM\b/.test(message)) return `the memory of the Redis at ${at} is full (maxmemory)`;
  if (/\bMISCONF\b/.test(message)) return `the Redis at ${at} cannot write to its disk: ${message}`;
  if (/DB index/.test(message)) return `the Redis at ${at} has no database of that number`;
  if (/RESP type|Protocol error/.test(message)) return `the server at ${at} is not a Redis`;
  return `the Redis at ${at} cannot be used: ${message}`;
};

/** The fields of a reply to `INFO`. */
const parseInfo = (info: string): ReadonlyMap<string, string> =>
  new Map(
    info
      .split(/\r?\n/)
      .filter(line => line.includes(':'))
      .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );

const checkInfo = (address: RedisAddress, info: ReadonlyMap<string, string>, logger?: Logger): void => {
  const version = info.get('redis_version') ?? 'unknown';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const at = `the Redis at ${address.host}:${address.port}`;
  if (major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]))
    throw new CannotOpen(
      'REDIS_URL',
      `${at} has version ${version}; version ${MIN_VERSION.join('.')} or newer is required`,
    );
  if (info.get('redis_mode') === 'cluster')
    throw new CannotOpen('REDIS_URL', `${at} is part of a cluster; one Redis with all keys is required`);
  if (info.get('role') === 'slave')
    throw new CannotOpen('REDIS_URL', `${at} is a replica, which cannot be written to`);
  const policy = info.get('maxmemory_policy');
  if (policy && policy !== 'noeviction')
    logger?.warn(
      { policy },
      'redis may evict jobs and messages when its memory is full: set maxmemory-policy noeviction',
    );
  if (info.get('aof_enabled') === '0')
    logger?.warn(
      'redis has no append-only file: a crash loses the jobs and messages added since its last snapshot: set appendonly yes',
    );
};

/** Managed servers refuse the question, and then nothing is known. */
const checkSyncing = async (client: Redis, logger: Logger): Promise<void> => {
  const [, appendfsync] = (await client.config('GET', 'appendfsync').catch(() => [])) as string[];
  if (appendfsync !== undefined && appendfsync !== 'always')
    logger.warn(
      { appendfsync },
      'redis confirms jobs and messages before they are on its disk: a crash loses the last ones, set appendfsync always',
    );
};

/** Writes a key, reads it in a script and publishes it: the permissions that the adapters need. */
const checkPermissions = async (client: Redis, prefix: string): Promise<void> => {
  const script = "redis.call('SET', KEYS[1], '', 'PX', 1) redis.call('PUBLISH', KEYS[1], '') return 1";
  await client.eval(script, 1, `${prefix}:permissions`);
  await client.subscribe(`${prefix}:permissions`);
};

/**
 * Checks that a Redis can be used with its current settings. Logs a warning about settings that risk losing data.
 * @param logger of a caller that stores something
 * @throws CannotOpen within `OPEN_TIMEOUT_MS`
 */
export async function checkRedis(url: string, prefix: string, logger?: Logger): Promise<void> {
  const address = redisAddress(url);
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: OPEN_TIMEOUT_MS - 1_000,
    commandTimeout: OPEN_TIMEOUT_MS - 1_000,
    disconnectTimeout: 100,
  });
  let firstError: unknown;
  client.on('error', error => (firstError ??= error));
  const timer = setTimeout(() => {
    firstError ??= Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
    client.disconnect();
  }, OPEN_TIMEOUT_MS);
  try {
    await client.connect();
    const info = parseInfo(await client.info());
    checkInfo(address, info, logger);
    if (logger && info.get('aof_enabled') === '1') await checkSyncing(client, logger);
    await checkPermissions(client, prefix);
    if (firstError) throw firstError;
  } catch (error) {
    if (error instanceof CannotOpen) throw error;
    throw new CannotOpen('REDIS_URL', reasonOf(address, firstError ?? error), { cause: error });
  } finally {
    clearTimeout(timer);
    client.disconnect();
  }
}
