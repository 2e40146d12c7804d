import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { freePorts, startProgram } from './program';
import { startServerProcess } from './server-process';
import type { TestServer } from './server';

const run = promisify(execFile);

const PROGRAM = process.env['REDIS_SERVER'] ?? 'redis-server';
const START_TIMEOUT_MS = 300_000;

/** Installs Redis from Debian's packages. */
const install = async (): Promise<void> => {
  const there = await run(PROGRAM, ['--version']).then(
    () => true,
    () => false,
  );
  if (there) return;
  if (process.getuid?.() !== 0)
    throw new Error(
      `${PROGRAM} is not installed, and only root can install it: apt-get install redis-server`,
    );
  await run('apt-get', ['update']);
  // The package may start a server, which the tests do not use.
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
};

const versionAt = async (port: number): Promise<string> => {
  const client = new Redis(port, '127.0.0.1', {
    lazyConnect: true,
    disconnectTimeout: 100,
    retryStrategy: () => null,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const info = await client.info('server');
    await client.quit();
    return /redis_version:(\S+)/.exec(info)![1]!;
  } finally {
    client.disconnect();
  }
};

/** As durable as jobs need it: acknowledged writes are on the disk. */
const settings = (folder: string, port: number): string[] => [
  ...['--bind', '127.0.0.1', '--port', String(port), '--dir', folder],
  ...['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'],
  ...['--maxmemory-policy', 'noeviction'],
];

/** Debian's Redis. `REDIS_SERVER` names another program with the same options, such as Valkey's. */
export const redis: TestServer = {
  name: 'Redis',
  kind: 'real',
  setting: 'REDIS_URL',

  start: async folder => {
    await mkdir(folder, { recursive: true });
    await install();
    const [port] = (await freePorts(1)) as [number];
    let version = '';
    return startServerProcess({
      folder,
      url: `redis://127.0.0.1:${port}`,
      start: () => startProgram(PROGRAM, settings(folder, port), join(folder, 'output.log')),
      ask: async () => (version = await versionAt(port)),
      timeoutMs: START_TIMEOUT_MS,
      version: () => `Redis ${version}`,
    });
  },
};
