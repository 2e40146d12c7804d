import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { EngineUnavailable } from '../../contracts/engine-unavailable';
import { compiled } from '../../infra/engines/compiled';
import { openBullMqJobs } from '../../infra/engines/jobs/bullmq/bullmq-jobs';
import type { Jobs } from '../../contracts/ports/jobs';
import { openRedisMailbox } from '../../infra/engines/mailbox/redis/redis-mailbox';
import { checkRedis } from '../../infra/engines/redis/open';
import { openRedisWakeUps } from '../../infra/engines/wake-ups/redis';
import { bodies, mail } from '../contracts/mailbox/places';
import { until } from '../until';
import { redis } from './redis';
import type { RunningServer } from './server';

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

/** Resolves when all that the worker told has been heard: it is `exit` that may come before its last messages. */
const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-redis-'));
  server = await redis.start(folder);
}, 120_000);
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

const startWorker = (lease: number, onRun: (run: Run) => void): ChildProcess => {
  const program = compiled(join(__dirname, 'redis', 'worker.ts'));
  const child = fork(program, [server.url, prefix, String(lease)]);
  child.on('message', run => onRun(run as Run));
  children.push(child);
  return child;
};

const idle = async (jobs: Jobs): Promise<boolean> => {
  const { waiting, running } = await jobs.counts('q');
  return waiting + running === 0;
};

test('every job that was acknowledged runs, however often Redis is killed', async () => {
  const [adding, working] = [await open(), await open()];
  const runs = new Map<string, number>();
  const options = { queue: 'q', concurrency: 4, lease: 1_000, signal: new AbortController().signal };
  const work = working.work(options, async ({ id }) => void runs.set(id, (runs.get(id) ?? 0) + 1));

  const acknowledged: string[] = [];
  let refused = 0;
  let over = false;
  const add = async (lane: number): Promise<void> => {
    for (let n = 0; !over; n += 1) {
      const id = `${lane}/${n}`;
      try {
        await adding.add({ queue: 'q', id, data: {}, attempts: 50, backoff: 10 });
        acknowledged.push(id);
      } catch (error) {
        expect(error).toBeInstanceOf(EngineUnavailable);
        refused += 1;
      }
    }
  };
  const lanes = Promise.all([0, 1, 2, 3].map(add));
  for (let round = 1; round <= 4; round += 1) {
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 200);
    await server.kill();
    await server.restart();
  }
  await until(() => acknowledged.length > 1_500);
  over = true;
  await lanes;
  await until(() => idle(adding), 40_000);

  const lost = acknowledged.filter(id => !runs.has(id));
  const total = [...runs.values()].reduce((sum, n) => sum + n, 0);
  process.stdout.write(
    `Redis killed 4 times: ${acknowledged.length} jobs acknowledged, ${refused} refused, ` +
      `${lost.length} lost, ${runs.size} jobs run ${total} times\n`,
  );
  expect(lost).toEqual([]);
  await working.close();
  await work;
}, 90_000);

test('what a killed worker held is run again after its lease, and counts as an attempt', async () => {
  const jobs = await open();
  const runs: Run[] = [];
  const child = startWorker(400, run => runs.push(run));
  await jobs.add({ queue: 'q', id: 'twice', data: { hang: true } });
  await jobs.add({ queue: 'q', id: 'once', data: { hang: true }, attempts: 1 });
  await until(() => runs.length === 2);
  await kill(child);
  expect(await jobs.counts('q')).toEqual({ waiting: 0, running: 2, failed: 0 });

  const taken: Run[] = [];
  const { signal } = new AbortController();
  void jobs.work({ queue: 'q', lease: 400, signal }, async ({ id, attempt }) => {
    taken.push({ id, attempt });
  });
  await until(() => idle(jobs));
  expect(taken).toEqual([{ id: 'twice', attempt: 2 }]);
  expect(await jobs.failures('q', 9)).toMatchObject([
    { id: 'once', attempts: 1, error: expect.stringContaining('died') as string },
  ]);
});

test('workers killed again and again lose no job, and run none twice at once', async () => {
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
  for (let cycle = 1; cycle <= 4; cycle += 1) {
    const before = runs;
    const child = start();
    await until(() => runs >= Math.min(before + 12, ids.length));
    await kill(child);
  }
  await until(() => idle(jobs));
  await kill(steady);
  expect((await jobs.counts('q')).failed).toBe(0);
  // A killed worker's last words may be lost, so that an attempt is missing from what it told; none is there twice.
  for (const seen of attempts.values()) {
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(0);
  }
}, 60_000);

test('while Redis is away, asking fails in time, a job loses its lease, and a worker can stop', async () => {
  const jobs = await open();
  let told = false;
  const { signal } = new AbortController();
  const work = jobs.work({ queue: 'q', lease: 500, signal }, async job => {
    await new Promise(resolve => job.signal.addEventListener('abort', resolve));
    told = true;
  });
  await jobs.add({ queue: 'q', id: 'a', data: {} });
  await until(async () => (await jobs.counts('q')).running === 1);
  await server.kill();
  try {
    for (const asked of [
      jobs.add({ queue: 'q', id: 'b', data: {} }),
      jobs.add({ queue: 'never seen before', id: 'b', data: {} }),
      jobs.schedule({ queue: 'q', id: 's', every: 1_000, data: {} }),
      jobs.counts('q'),
      jobs.failures('q', 1),
    ])
      await expect(asked).rejects.toThrow(EngineUnavailable);
    await until(() => told);
    await jobs.close();
    await work;
  } finally {
    await server.restart();
  }
});

test('when Redis has forgotten everything, jobs in hand are told, and work goes on', async () => {
  const jobs = await open();
  const started: string[] = [];
  let told = false;
  void jobs.work({ queue: 'q', lease: 300, signal: new AbortController().signal }, async ({ id, signal }) => {
    started.push(id);
    if (id !== 'long') return;
    await new Promise(resolve => signal.addEventListener('abort', resolve));
    told = true;
  });
  await jobs.add({ queue: 'q', id: 'long', data: {} });
  await until(() => started.length === 1);
  const client = new Redis(server.url);
  await client.flushall();
  await client.quit();
  await until(() => told);
  expect(await jobs.add({ queue: 'q', id: 'next', data: {} })).toBe(true);
  await until(() => started.includes('next'));
});

test('wake-ups go on after Redis was killed', async () => {
  const [near, far] = await Promise.all([
    openRedisWakeUps({ url: server.url, prefix }),
    openRedisWakeUps({ url: server.url, prefix }),
  ]);
  opened.push(near, far);
  const asleep = far.changed(['a'], 600_000);
  await server.kill();
  await asleep;
  near.announce(['a']);
  await far.changed(['a'], 600_000);
  await server.restart();

  // Who is woken without word is woken from any sleep.
  await until(async () => {
    let byAccident = false;
    void far.changed(['never'], 600_000).then(() => (byAccident = true));
    const word = far.changed(['a'], 600_000);
    near.announce(['a']);
    await word;
    return !byAccident;
  });
});

test('who is connected hears of what was announced by somebody who was not', async () => {
  const [near, far] = await Promise.all([
    openRedisWakeUps({ url: server.url, prefix }),
    openRedisWakeUps({ url: server.url, prefix }),
  ]);
  opened.push(near, far);
  const admin = new Redis(server.url);
  for (let round = 0; round < 10; round += 1) {
    const word = far.changed(['a'], 600_000);
    // Subscribers stay connected.
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await new Promise(resolve => setTimeout(resolve, round));
    near.announce(['a']);
    await word;
  }
  await admin.quit();
});

describe('a Redis that takes nothing more', () => {
  let admin: Redis;
  beforeAll(() => void (admin = new Redis(server.url)));
  afterAll(() => admin.quit());

  const refusals: readonly [
    what: string,
    cause: RegExp,
    atTheStart: string,
    refuse: () => Promise<unknown>,
    mend: () => Promise<unknown>,
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
        // Where the snapshot shall be there is a folder.
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
    '%s is unavailable, is still read, and takes all again when that is over',
    async (_what, cause, atTheStart, refuse, mend) => {
      const jobs = await open();
      const mailbox = await openRedisMailbox({ url: server.url, prefix });
      opened.push(mailbox);
      await mailbox.post(mail('before'));
      await jobs.add({ queue: 'q', id: 'before', data: {}, delay: 100 });

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
        await expect(checkRedis(server.url, prefix)).rejects.toThrow(atTheStart);
        expect(await mailbox.read({ to: ['bob'], after: 0, limit: 10 })).toHaveLength(1);
        await jobs.counts('q');
      } finally {
        await mend();
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
