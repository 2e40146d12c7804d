import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { compiledPath } from '../../infra/engines/compiled-path';
import { openBullMqJobs } from '../../infra/engines/jobs/bullmq/bullmq-jobs';
import type { Jobs } from '../../contracts/ports/jobs';
import { openRedisMailbox } from '../../infra/engines/mailbox/redis/redis-mailbox';
import { checkRedis } from '../../infra/engines/redis/check-redis';
import { openRedisWakeUps } from '../../infra/engines/wake-ups/redis';
import { NEVER_MS } from '../contracts/harness';
import { bodies, mail } from '../contracts/mailbox/harness';
import { scaled } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { redis } from './redis';
import type { RunningServer } from './server';

const KILLS = Math.min(scaled(2), 4);

let folder: string;
let server: RunningServer;
let prefix: string;
let opened: { close(): Promise<void> }[] = [];
let children: ChildProcess[] = [];

const open = async (): Promise<Jobs> => {
  const jobs = await openBullMqJobs({ url: server.url, prefix });
  opened.push(jobs);
  return jobs;
};

/** Waits for `close`: `exit` may be emitted before the last messages of the child. */
const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
};

beforeAll(async () => {
  folder = temporaryFolder();
  server = await redis.start(folder);
});
beforeEach(() => {
  prefix = randomUUID();
});
afterEach(async () => {
  await Promise.all(children.map(kill));
  await Promise.all(opened.map(one => one.close()));
  [children, opened] = [[], []];
});
afterAll(() => server.stop());

interface Run {
  readonly id: string;
  readonly attempt: number;
}

const startWorker = (leaseMs: number, onRun: (run: Run) => void): ChildProcess => {
  const program = compiledPath(join(__dirname, 'redis', 'worker.ts'));
  const child = fork(program, [server.url, prefix, String(leaseMs)]);
  child.on('message', run => onRun(run as Run));
  children.push(child);
  return child;
};

const idle = async (jobs: Jobs): Promise<boolean> => {
  const { waiting, running } = await jobs.counts('q');
  return waiting + running === 0;
};

test('every acknowledged job runs although Redis is killed repeatedly', async () => {
  const [adding, working] = [await open(), await open()];
  const runs = new Map<string, number>();
  const options = { queue: 'q', concurrency: 4, leaseMs: 1_000, signal: new AbortController().signal };
  const work = working.work(options, async ({ id }) => void runs.set(id, (runs.get(id) ?? 0) + 1));

  const acknowledged: string[] = [];
  let refused = 0;
  let over = false;
  const add = async (adder: number): Promise<void> => {
    for (let n = 0; !over; n += 1) {
      const id = `${adder}/${n}`;
      try {
        await adding.add({ queue: 'q', id, data: {}, attempts: 50, backoffMs: 10 });
        acknowledged.push(id);
      } catch (error) {
        expect(error).toBeInstanceOf(EngineUnavailable);
        refused += 1;
      }
    }
  };
  const adders = Promise.all([0, 1, 2, 3].map(add));
  for (let round = 1; round <= KILLS; round += 1) {
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 200);
    await server.kill();
    await server.restart();
  }
  await until(() => acknowledged.length > KILLS * 300);
  over = true;
  await adders;
  await until(() => idle(adding));

  const lost = acknowledged.filter(id => !runs.has(id));
  const total = [...runs.values()].reduce((sum, n) => sum + n, 0);
  process.stdout.write(
    `Redis killed ${KILLS} times: ${acknowledged.length} jobs acknowledged, ${refused} refused, ` +
      `${lost.length} lost, ${runs.size} jobs run ${total} times\n`,
  );
  expect(lost).toEqual([]);
  await working.close();
  await work;
});

test('the jobs of a killed worker run again after their lease, and count an attempt', async () => {
  const jobs = await open();
  const runs: Run[] = [];
  // Longer than the test: a worker that is not scheduled would lose its jobs before it is killed.
  const child = startWorker(600_000, run => runs.push(run));
  await jobs.add({ queue: 'q', id: 'twice', data: { hang: true } });
  await jobs.add({ queue: 'q', id: 'once', data: { hang: true }, attempts: 1 });
  await until(() => runs.length === 2);
  await kill(child);
  expect(await jobs.counts('q')).toEqual({ waiting: 0, delayed: 0, running: 2, failed: 0 });

  // The lease ends, and with it the time in which no other worker looks for ended leases.
  const admin = new Redis(server.url);
  const ended = await Promise.all(['lock', 'stalled-check'].map(name => admin.keys(`${prefix}:*:${name}`)));
  expect(await admin.del(...ended.flat())).toBe(3);
  await admin.quit();
  const taken: Run[] = [];
  const { signal } = new AbortController();
  void jobs.work({ queue: 'q', leaseMs: 6_000, signal }, async ({ id, attempt }) => {
    taken.push({ id, attempt });
  });
  await until(() => idle(jobs));
  expect(taken).toEqual([{ id: 'twice', attempt: 2 }]);
  expect(await jobs.failures('q', 9)).toMatchObject([
    { id: 'once', attempts: 1, error: expect.stringContaining('died') as string },
  ]);
});

test('repeatedly killed workers lose no job and run no attempt twice', async () => {
  const jobs = await open();
  const ids = Array.from({ length: 300 }, (_, n) => `job ${n}`);
  await Promise.all(ids.map(id => jobs.add({ queue: 'q', id, data: {}, attempts: 50 })));
  const attempts = new Map(ids.map(id => [id, [] as number[]]));
  let runs = 0;
  const start = (): ChildProcess =>
    startWorker(300, ({ id, attempt }) => {
      attempts.get(id)!.push(attempt);
      runs += 1;
    });
  const steady = start();
  for (let cycle = 1; cycle <= KILLS; cycle += 1) {
    const before = runs;
    const child = start();
    await until(() => runs >= Math.min(before + 12, ids.length));
    await kill(child);
  }
  await until(() => idle(jobs));
  await kill(steady);
  expect((await jobs.counts('q')).failed).toBe(0);
  // The last messages of a killed worker may be lost: an attempt may be missing, but none is there twice.
  for (const seen of attempts.values()) {
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(0);
  }
});

test('while Redis is down, calls fail in time, a job loses its lease, and a worker can stop', async () => {
  const jobs = await open();
  let aborted = false;
  const { signal } = new AbortController();
  const work = jobs.work({ queue: 'q', leaseMs: 500, signal }, async job => {
    await new Promise(resolve => job.signal.addEventListener('abort', resolve));
    aborted = true;
  });
  await jobs.add({ queue: 'q', id: 'a', data: {} });
  await until(async () => (await jobs.counts('q')).running === 1);
  await server.kill();
  try {
    for (const call of [
      jobs.add({ queue: 'q', id: 'b', data: {} }),
      jobs.add({ queue: 'never seen before', id: 'b', data: {} }),
      jobs.schedule({ queue: 'q', id: 's', everyMs: 1_000, data: {} }),
      jobs.counts('q'),
      jobs.failures('q', 1),
    ])
      await expect(call).rejects.toThrow(EngineUnavailable);
    await until(() => aborted);
    await jobs.close();
    await work;
  } finally {
    await server.restart();
  }
});

test('after Redis has lost all data, running jobs are aborted and new jobs run', async () => {
  const jobs = await open();
  const started: string[] = [];
  let aborted = false;
  void jobs.work(
    { queue: 'q', leaseMs: 300, signal: new AbortController().signal },
    async ({ id, signal }) => {
      started.push(id);
      if (id !== 'long') return;
      await new Promise(resolve => signal.addEventListener('abort', resolve));
      aborted = true;
    },
  );
  await jobs.add({ queue: 'q', id: 'long', data: {} });
  await until(() => started.length === 1);
  const client = new Redis(server.url);
  await client.flushall();
  await client.quit();
  await until(() => aborted);
  expect(await jobs.add({ queue: 'q', id: 'next', data: {} })).toBe(true);
  await until(() => started.includes('next'));
});

test('wake-ups work again after Redis was killed', async () => {
  const [near, far] = await Promise.all([
    openRedisWakeUps({ url: server.url, prefix }),
    openRedisWakeUps({ url: server.url, prefix }),
  ]);
  opened.push(near, far);
  const waiting = far.wait(['a'], NEVER_MS);
  await server.kill();
  await waiting;
  near.notify(['a']);
  await far.wait(['a'], NEVER_MS);
  await server.restart();

  // Only a wait that ends because of its own notification counts.
  await until(async () => {
    let spurious = false;
    void far.wait(['never'], NEVER_MS).then(() => (spurious = true));
    const notified = far.wait(['a'], NEVER_MS);
    near.notify(['a']);
    await notified;
    return !spurious;
  });
});

test('a connected client receives notifications made while another client was disconnected', async () => {
  const [near, far] = await Promise.all([
    openRedisWakeUps({ url: server.url, prefix }),
    openRedisWakeUps({ url: server.url, prefix }),
  ]);
  opened.push(near, far);
  const admin = new Redis(server.url);
  for (let round = 0; round < 10; round += 1) {
    const notified = far.wait(['a'], NEVER_MS);
    // Subscribers stay connected.
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await new Promise(resolve => setTimeout(resolve, round));
    near.notify(['a']);
    await notified;
  }
  await admin.quit();
});

describe('a Redis that refuses writes', () => {
  let admin: Redis;
  beforeAll(() => void (admin = new Redis(server.url)));
  afterAll(() => admin.quit());

  const refusals: readonly [
    what: string,
    cause: RegExp,
    openingError: string,
    refuse: () => Promise<unknown>,
    repair: () => Promise<unknown>,
  ][] = [
    [
      'because its memory is full',
      /OOM/,
      'is full (maxmemory)',
      () => admin.config('SET', 'maxmemory', '1'),
      () => admin.config('SET', 'maxmemory', '0'),
    ],
    [
      'because it cannot save to its disk',
      /MISCONF/,
      'cannot write to its disk',
      async () => {
        // A folder at the path of the snapshot makes saving fail.
        await mkdir(join(folder, 'dump.rdb', 'in the way'), { recursive: true });
        await admin.config('SET', 'save', '3600 1');
        await admin.bgsave();
        await until(async () => (await admin.info('persistence')).includes('rdb_last_bgsave_status:err'));
      },
      async () => {
        await rm(join(folder, 'dump.rdb'), { recursive: true });
        await admin.bgsave();
        await until(async () => (await admin.info('persistence')).includes('rdb_last_bgsave_status:ok'));
        await admin.config('SET', 'save', '');
      },
    ],
  ];

  test.each(refusals)(
    '%s is unavailable for writes, can be read, and accepts writes again afterwards',
    async (_what, cause, openingError, refuse, repair) => {
      const jobs = await open();
      const mailbox = await openRedisMailbox({ url: server.url, prefix });
      opened.push(mailbox);
      await mailbox.post(mail('before'));
      await jobs.add({ queue: 'q', id: 'before', data: {}, delayMs: 100 });

      await refuse();
      const done: string[] = [];
      const stop = new AbortController();
      const work = jobs.work({ queue: 'q', signal: stop.signal }, async ({ id }) => void done.push(id));
      try {
        for (const refused of [
          jobs.add({ queue: 'q', id: 'during', data: {} }),
          mailbox.post(mail('during')),
        ]) {
          await expect(refused).rejects.toThrow(EngineUnavailable);
          await expect(refused).rejects.toThrow(cause);
        }
        await expect(checkRedis(server.url, prefix)).rejects.toThrow(openingError);
        expect(await mailbox.read({ to: ['bob'], after: 0, limit: 10 })).toHaveLength(1);
        await jobs.counts('q');
      } finally {
        await repair();
      }

      expect(await jobs.add({ queue: 'q', id: 'during', data: {} })).toBe(true);
      await mailbox.post(mail('during'));
      await until(() => done.length >= 2);
      stop.abort();
      await work;
      expect(done.sort()).toEqual(['before', 'during']);
      expect(bodies(await mailbox.read({ to: ['bob'], after: 0, limit: 10 }))).toEqual(['before', 'during']);
    },
  );
});
