import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { CannotOpen } from '../../infra/config/cannot-open';
import { checkRedis } from '../../infra/engines/redis/check-redis';
import { temporaryFolder } from '../temporary-folder';
import { redis } from './redis';
import type { RunningServer } from './server';

let server: RunningServer;
let admin: Redis;

beforeAll(async () => {
  server = await redis.start(temporaryFolder());
  admin = new Redis(server.url);
});
afterAll(async () => {
  await admin.quit();
  await server.stop();
});

const withUser = (user: string): string => server.url.replace('//', `//${user}@`);

test.each([
  ['a wrong password', () => withUser('default:wrong'), 'rejects the user or the password'],
  ['no password', () => server.url, 'requires a password'],
  ['a database that does not exist', () => `${withUser('default:right')}/99`, 'no database of that number'],
  ['a user without permissions', () => withUser('reader:right'), 'lacks a permission'],
])('the cause is reported: %s', async (_, url, cause) => {
  await admin.config('SET', 'requirepass', 'right');
  await admin.acl('SETUSER', 'reader', 'on', '>right', '~*', '+@read', '+info', '+hello', '+client');
  const opening = checkRedis(url(), 'test');
  await expect(opening).rejects.toThrow(CannotOpen);
  await expect(opening).rejects.toThrow(cause);
  await checkRedis(withUser('default:right'), 'test');
  await admin.config('SET', 'requirepass', '');
});

test('a Redis that may evict or lose jobs causes warnings', async () => {
  const lines: string[] = [];
  const logger = pino({}, { write: line => void lines.push(line) });
  await checkRedis(server.url, 'test', logger);
  expect(lines).toEqual([]);
  await admin.config('SET', 'appendfsync', 'everysec');
  await checkRedis(server.url, 'test', logger);
  expect(lines.splice(0)).toEqual([expect.stringContaining('set appendfsync always')]);
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await admin.config('SET', 'appendonly', 'no');
  await checkRedis(server.url, 'test', logger);
  expect(lines).toEqual([
    expect.stringContaining('set maxmemory-policy noeviction'),
    expect.stringContaining('set appendonly yes'),
  ]);
});

test('a Redis that does not tell how it writes to its disk is used', async () => {
  await admin.config('SET', 'appendonly', 'yes');
  await admin.acl('SETUSER', 'writer', 'on', '>right', '~*', '&*', '+@all', '-config');
  const lines: string[] = [];
  const logger = pino({}, { write: line => void lines.push(line) });
  await admin.config('SET', 'maxmemory-policy', 'noeviction');
  await checkRedis(withUser('writer:right'), 'test', logger);
  expect(lines).toEqual([]);
});

test('a server that accepts the connection and does not answer is given up', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await expect(checkRedis(`redis://127.0.0.1:${port}`, 'test')).rejects.toThrow('no answer');
  silent.close();
});
