import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { CannotOpen } from '../../infra/engines/cannot-open';
import { checkRedis } from '../../infra/engines/redis/open';
import { redis } from './redis';
import type { RunningServer } from './server';

let server: RunningServer;
let admin: Redis;

beforeAll(async () => {
  server = await redis.start(mkdtempSync(join(tmpdir(), 'tidemark-redis-')));
  admin = new Redis(server.url);
}, 120_000);
afterAll(async () => {
  await admin.quit();
  await server.stop();
});

const withUser = (user: string): string => server.url.replace('//', `//${user}@`);

test.each([
  ['a password that is wrong', () => withUser('default:wrong'), 'refuses the user or the password'],
  ['no password', () => server.url, 'asks for a password'],
  ['a database that there is not', () => `${withUser('default:right')}/99`, 'no database of that number'],
  ['a user without rights', () => withUser('reader:right'), 'lacks a right'],
])('%s is named as the cause', async (_, url, cause) => {
  await admin.config('SET', 'requirepass', 'right');
  await admin.acl('SETUSER', 'reader', 'on', '>right', '~*', '+@read', '+info', '+hello', '+client');
  const opening = checkRedis(url(), 'test');
  await expect(opening).rejects.toThrow(CannotOpen);
  await expect(opening).rejects.toThrow(cause);
  await checkRedis(withUser('default:right'), 'test');
  await admin.config('SET', 'requirepass', '');
});

test('a Redis that might evict or forget jobs is warned of', async () => {
  const lines: string[] = [];
  const logger = pino({}, { write: line => void lines.push(line) });
  await checkRedis(server.url, 'test', logger);
  expect(lines).toEqual([]);
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await admin.config('SET', 'appendonly', 'no');
  await checkRedis(server.url, 'test', logger);
  expect(lines).toHaveLength(2);
  expect(lines.join()).toContain('noeviction');
  expect(lines.join()).toContain('append-only');
});

test('a server that takes the connection and says nothing is given up within 8 seconds', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const began = performance.now();
  await expect(checkRedis(`redis://127.0.0.1:${port}`, 'test')).rejects.toThrow('no answer');
  expect(performance.now() - began).toBeLessThan(9_000);
  silent.close();
});
