import pino from 'pino';
import { z } from 'zod';
import {
  defineObservation,
  type Clients,
  type ObservationSource,
  type Reading,
} from '../../contracts/observation/observation';
import type { Observed } from '../../contracts/observation/reader';
import { NothingToObserve } from '../../contracts/observation/nothing-to-observe';
import type { FollowedNetworks } from '../../contracts/network/network';
import type { Job, WorkOptions } from '../../contracts/ports/jobs';
import { openRecordedJobs } from '../../test/doubles/jobs';
import { InMemoryLog } from '../../test/doubles/log';
import { until } from '../../test/until';
import { workObservations } from './worker';

const NOW = Date.UTC(2026, 0, 1);
const clients = {} as Clients;
const logger = pino({ level: 'silent' });

const partner: ObservationSource<string> = { name: 'partner', maxConcurrent: 2 };
const networks: ObservationSource<string> = {
  name: 'chain',
  networks: ['main', 'test'],
  networkOf: subject => subject,
};
const weather = (read: (city: string) => Promise<{ height: number | null; data: { degrees: number } }>) =>
  defineObservation({
    kind: 'weather',
    subject: { format: (city: string) => city, parse: text => text },
    schema: z.object({ degrees: z.int() }),
    source: partner,
    minAgeMs: 1_000,
    staleAfterMs: 10_000,
    ages: false,
    read: (_clients, city) => read(city),
  });

/** Runs a worker on a queue that holds the given job, and returns what it published and how the job ended. */
async function observe(
  observations: Parameters<typeof workObservations>[0]['observations'],
  data: Job['data'],
  followed?: FollowedNetworks,
  attempts = 1,
  last: Observed<unknown> | Error | null = null,
) {
  const queue = 'observe-partner';
  const [log, jobs] = [new InMemoryLog(), openRecordedJobs()];
  await jobs.add({ queue, id: 'x', data, attempts, backoffMs: 1 });
  const queues: WorkOptions[] = [];
  let clock = NOW;
  const worker = {
    observations,
    clients,
    log,
    logger,
    async last() {
      if (last instanceof Error) throw last;
      return last;
    },
    ...(followed && { followed }),
    jobs: {
      work: (options: WorkOptions, handle: (job: Job) => Promise<void>) => {
        queues.push(options);
        return jobs.work(options, handle);
      },
    },
    now: () => (clock += 1_000),
  };
  const stop = new AbortController();
  try {
    let isWorking = true;
    const working = workObservations(worker, stop.signal).finally(() => (isWorking = false));
    working.catch(() => undefined);
    await until(async () => {
      const { waiting, running } = await jobs.counts(queue);
      return !isWorking || waiting + running === 0;
    });
    stop.abort();
    await working;
    const [failure] = await jobs.failures(queue, 1);
    return { published: log.stored.all, queues, error: failure?.error };
  } finally {
    await jobs.close();
  }
}

const requested = { kind: 'weather', subject: 'Rome' };

test('an observation is published under its key, with the instant before the read', async () => {
  const read = jest.fn(async () => ({ height: 7, data: { degrees: 21 } }));
  const { published, error } = await observe([weather(read)], requested);
  expect(error).toBeUndefined();
  expect(read).toHaveBeenCalledWith('Rome');
  expect(published).toMatchObject([{ topic: 'observations', key: 'weather/Rome' }]);
  expect(JSON.parse(published[0]!.value.toString())).toEqual({
    kind: 'weather',
    subject: 'Rome',
    height: 7,
    at: '2026-01-01T00:00:01.000Z',
    data: { degrees: 21 },
  });
});

test.each([
  ['the read fails', () => Promise.reject(new Error('HTTP 500')), 'HTTP 500'],
  ['the data is malformed', async () => ({ height: null, data: { degrees: 1.5 } }), 'degrees'],
])('when %s the attempt fails and nothing is published', async (_, read, message) => {
  const { published, error } = await observe([weather(read)], requested);
  expect(published).toEqual([]);
  expect(String(error)).toContain(message);
});

test('what is published has what an observation merges of the readings before: the log forgets those', async () => {
  const cloudy = weather(async () => ({ height: 8, data: { degrees: 3 } }));
  const coldest = {
    ...cloudy,
    merge: (...readings: readonly Reading<{ degrees: number }>[]) => ({
      degrees: Math.min(...readings.map(({ data }) => data.degrees)),
    }),
  };
  const published = async (observation: typeof cloudy, before: Observed<unknown> | null) => {
    const { published } = await observe([observation], requested, undefined, 1, before);
    return published.map(({ value }) => (JSON.parse(value.toString()) as Reading<unknown>).data);
  };
  const before = { height: 7, at: new Date(NOW).toISOString(), data: { degrees: -2 } };
  expect(await published(coldest, before)).toEqual([{ degrees: -2 }]);
  expect(await published(coldest, null)).toEqual([{ degrees: 3 }]);
  expect(await published(cloudy, before)).toEqual([{ degrees: 3 }]);
});

test('what is known as of a later block stays the last on the log, from which documents may be filled again', async () => {
  const publishedAfter = async (known: Observed<unknown> | Error) => {
    const read = weather(async () => ({ height: 8, data: { degrees: 3 } }));
    const { published, error } = await observe([read], requested, undefined, 1, known);
    expect(error).toBeUndefined();
    return published.length;
  };
  const known = (height: number | null, at = NOW) => ({ height, at: new Date(at).toISOString(), data: {} });
  expect(await publishedAfter(known(9))).toBe(0);
  expect(await publishedAfter(known(8))).toBe(1);
  expect(await publishedAfter(known(8, NOW + 60_000))).toBe(0);
  expect(await publishedAfter(known(null))).toBe(1);
  expect(await publishedAfter(new Error('documents are being filled'))).toBe(1);
});

test('what does not exist any more is no failure: it is not read again, nobody is warned, and nothing is published', async () => {
  const warn = jest.spyOn(logger, 'warn');
  const read = jest.fn(() => Promise.reject(new NothingToObserve('Rome is gone')));
  const { published, error } = await observe([weather(read)], requested, undefined, 3);
  expect([published, error]).toEqual([[], undefined]);
  expect(read).toHaveBeenCalledTimes(1);
  expect(warn).not.toHaveBeenCalled();
});

test('while a source is out, one line says so for all that is read of it; another fault has a line of its own', async () => {
  const warn = jest.spyOn(logger, 'warn').mockClear();
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  const read = jest.fn(() => Promise.reject(refused));
  expect((await observe([weather(read)], requested, undefined, 3)).error).toContain('ECONNREFUSED');
  expect(read).toHaveBeenCalledTimes(3);
  const outage = { queue: 'observe-partner', reason: refused.message };
  expect(warn.mock.calls).toEqual([[outage, 'source of observations failed']]);

  warn.mockClear();
  await observe([weather(() => Promise.reject(new Error('HTTP 500')))], requested);
  expect(warn.mock.calls).toEqual([
    [expect.objectContaining({ ...requested, err: new Error('HTTP 500') }), 'observation failed'],
  ]);
});

test('a kind that is not observed is a failed attempt', async () => {
  const observation = weather(async () => ({ height: null, data: { degrees: 1 } }));
  const { error } = await observe([observation], { kind: 'tides', subject: 'Rome' });
  expect(String(error)).toContain('no observation of kind tides');
});

test('every source has its own queue and concurrency for each of its networks', async () => {
  const observation = weather(async () => ({ height: null, data: { degrees: 1 } }));
  const { queues } = await observe(
    [
      observation,
      { ...observation, kind: 'block', source: networks },
      { ...observation, kind: 'config', source: networks },
    ],
    requested,
  );
  expect(queues.map(({ queue, concurrency }) => [queue, concurrency])).toEqual([
    ['observe-partner', 2],
    ['observe-chain-main', 8],
    ['observe-chain-test', 8],
  ]);
});

test('two observations of one kind, and two sources of one name, are refused', async () => {
  const observation = weather(async () => ({ height: null, data: { degrees: 1 } }));
  await expect(observe([observation, observation], requested)).rejects.toThrow('same kind');
  const other = { ...observation, kind: 'other', source: { name: 'partner' } };
  await expect(observe([observation, other], requested)).rejects.toThrow('two sources are named partner');
});

test('an invalid definition is refused', () => {
  const observation = weather(async () => ({ height: null, data: { degrees: 1 } }));
  expect(() => defineObservation({ ...observation, kind: 'Weather/Rome' })).toThrow('malformed kind');
  expect(() => defineObservation({ ...observation, staleAfterMs: 999 })).toThrow('stale before');
});

test('what was requested of a network that is off by now is dropped without a read', async () => {
  const read = jest.fn(async () => ({ height: 7, data: { degrees: 21 } }));
  const source = { ...partner, chainOf: () => ({ chain: 'ton', network: 'testnet' }) as const };
  const onChain = { ...weather(read), source } as const;
  const off = await observe([onChain], requested, { ton: ['mainnet'], solana: [] });
  expect(off).toMatchObject({ published: [], error: undefined });
  expect(read).not.toHaveBeenCalled();
  expect((await observe([onChain], requested, { ton: ['testnet'], solana: [] })).published).toHaveLength(1);
});
