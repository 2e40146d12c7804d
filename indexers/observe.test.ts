import pino from 'pino';
import type { Job, Jobs, NewJob } from '../contracts/ports/jobs';
import type { Log, NewMessage } from '../contracts/ports/log';
import { observationRequests, workObservations, type Observer } from './observe';

const logger = pino({ level: 'silent' });

function observer(read: Observer['observe']): Record<string, Observer> {
  return { 'solana.account': { minAge: 1_000, observe: read } };
}

/** Runs the job that is handed to it, and reports what was published or thrown. */
async function observed(observers: Record<string, Observer>, data: Job['data']) {
  const published: { topic: string; message: NewMessage }[] = [];
  const declared: string[] = [];
  const log = {
    declare: async (topics: { name: string }[]) => void declared.push(...topics.map(({ name }) => name)),
    publish: async (topic: string, messages: NewMessage[]) =>
      void published.push(...messages.map(message => ({ topic, message }))),
  } as unknown as Log;
  let error: unknown;
  const { signal } = new AbortController();
  const jobs = {
    work: (_: unknown, handle: (job: Job) => Promise<void>) =>
      handle({ queue: 'observe', id: 'x', data, attempt: 1, signal }).catch(thrown => (error = thrown)),
  } as unknown as Jobs;
  let clock = 1_767_225_600_000;
  const now = () => (clock += 1_000);
  await workObservations({ jobs, log, observers, logger, now, signal });
  return { published, declared, error };
}

const data = { kind: 'solana.account', subject: 'solana:mainnet:A' };

test('what was read goes on the log under its own key, as of before the read', async () => {
  const observers = observer(async () => ({ height: 7, data: { balance: '5' } }));
  const { published, declared } = await observed(observers, data);
  expect(declared).toEqual(['observations']);
  expect(published).toHaveLength(1);
  expect(published[0]).toMatchObject({
    topic: 'observations',
    message: { key: 'solana.account/solana:mainnet:A' },
  });
  expect(JSON.parse(published[0]!.message.value.toString())).toEqual({
    kind: 'solana.account',
    subject: 'solana:mainnet:A',
    height: 7,
    at: '2026-01-01T00:00:01.000Z',
    data: { balance: '5' },
  });
});

test('a read that fails is a failed attempt and publishes nothing', async () => {
  const { published, error } = await observed(
    observer(() => Promise.reject(new Error('HTTP 500'))),
    data,
  );
  expect(published).toEqual([]);
  expect(error).toEqual(new Error('HTTP 500'));
});

test('asking is a job named after what is asked for, which keeps its name for the minimum age', async () => {
  const added: NewJob[] = [];
  const jobs = { add: async (job: NewJob) => added.push(job) } as unknown as Jobs;
  const request = observationRequests(jobs, { 'solana.account': { minAge: 1_234 } });
  await request('solana.account', 'solana:mainnet:A');
  expect(added).toMatchObject([
    { queue: 'observe', id: 'solana.account/solana:mainnet:A', data, keep: 1_234 },
  ]);
  await expect(request('weather', 'here')).rejects.toThrow('no observer of weather');
});
