import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { CannotOpen } from '../cannot-open';
import { redisAddress, type RedisAddress } from './address';

/** Milliseconds within which an engine must answer at the start. */
const PATIENCE = 6_000;
const OLDEST = [6, 2] as const;

const refusal = ({ host, port }: RedisAddress, error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  const at = `${host}:${port}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `no host of the name ${host} is known`;
  if (code === 'ECONNREFUSED') return `nothing listens at ${at}`;
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return `no answer from ${at}`;
  if (/timed out/.test(message)) return `no answer from ${at}`;
  if (/^NOAUTH/.test(message)) return `the Redis at ${at} asks for a password, and there is none in the URL`;
  if (/^WRONGPASS|AUTH failed/.test(message)) return `the Redis at ${at} refuses the user or the password`;
  if (/^NOPERM/.test(message)) return `the user of the URL lacks a right at ${at}: ${message}`;
  if (/\bOOM\b/.test(message)) return `the memory of the Redis at ${at} is full (maxmemory)`;
  if (/\bMISCONF\b/.test(message)) return `the Redis at ${at} cannot write to its disk: ${message}`;
  if (/DB index/.test(message)) return `the Redis at ${at} has no database of that number`;
  if (/RESP type|Protocol error/.test(message)) return `what answers at ${at} is not a Redis`;
  return `the Redis at ${at} cannot be used: ${message}`;
};

/** Answers of `INFO`, by name. */
const facts = (info: string): ReadonlyMap<string, string> =>
  new Map(
    info
      .split(/\r?\n/)
      .filter(line => line.includes(':'))
      .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );

const checkFacts = (address: RedisAddress, of: ReadonlyMap<string, string>, logger?: Logger): void => {
  const version = of.get('redis_version') ?? 'unknown';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const at = `the Redis at ${address.host}:${address.port}`;
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new CannotOpen(
      'REDIS_URL',
      `${at} is of version ${version}; needed is ${OLDEST.join('.')} or newer`,
    );
  if (of.get('redis_mode') === 'cluster')
    throw new CannotOpen('REDIS_URL', `${at} is part of a cluster; needed is one Redis that holds all keys`);
  if (of.get('role') === 'slave')
    throw new CannotOpen('REDIS_URL', `${at} is a replica, which cannot be written to`);
  const policy = of.get('maxmemory_policy');
  if (policy && policy !== 'noeviction')
    logger?.warn({ policy }, 'Redis may evict jobs when its memory is full: set maxmemory-policy noeviction');
  if (of.get('aof_enabled') === '0')
    logger?.warn('Redis keeps no append-only file: jobs added since its last snapshot are lost with it');
};

/** A key is written, read by a script and announced: what the adapters do with other names. */
const checkRights = async (client: Redis, prefix: string): Promise<void> => {
  const script = "redis.call('SET', KEYS[1], '', 'PX', 1) redis.call('PUBLISH', KEYS[1], '') return 1";
  await client.eval(script, 1, `${prefix}:rights`);
  await client.subscribe(`${prefix}:rights`);
};

/**
 * Finds out whether a Redis can be used as it is set. Says by the logger what is not right about it but not in the way.
 * @throws CannotOpen within 6 seconds
 */
export async function checkRedis(url: string, prefix: string, logger?: Logger): Promise<void> {
  const address = redisAddress(url);
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: PATIENCE - 1_000,
    commandTimeout: PATIENCE - 1_000,
    disconnectTimeout: 100,
  });
  let heard: unknown;
  client.on('error', error => (heard ??= error));
  const timer = setTimeout(() => {
    heard ??= Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
    client.disconnect();
  }, PATIENCE);
  try {
    await client.connect();
    checkFacts(address, facts(await client.info()), logger);
    await checkRights(client, prefix);
    if (heard) throw heard;
  } catch (error) {
    if (error instanceof CannotOpen) throw error;
    throw new CannotOpen('REDIS_URL', refusal(address, heard ?? error), { cause: error });
  } finally {
    clearTimeout(timer);
    client.disconnect();
  }
}
