import pino from 'pino';
import { z } from 'zod';
import { defineObservation, type Clients } from '../../contracts/observation/observation';
import { ReadNotBegun } from '../../contracts/observation/read-not-begun';
import { SiteFailed } from '../../contracts/observation/site-failed';
import { TooManyWaiting } from '../../contracts/fair-semaphore';
import { readJson } from '../../contracts/json/read-json';
import { createUnrecordedReader } from './unrecorded-reader';
import { createSourceLimits } from './source-limits';

const nextTick = () => new Promise<void>(resolve => setImmediate(resolve));

/** A reader of rates whose clock and source the test controls. */
function fixture({
  servesStale,
  maxConcurrent = 8,
  waitMs = 50,
}: { servesStale?: boolean | 'on-failure'; maxConcurrent?: number; waitMs?: number } = {}) {
  let clock = Date.UTC(2026, 0, 1);
  let height: number | null = null;
  const logged: unknown[] = [];
  const read = jest.fn(async (_currency: string): Promise<{ rate: number }> => ({ rate: 1 }));
  const rates = defineObservation({
    kind: 'rates',
    recorded: false,
    subject: { format: (currency: string) => currency },
    schema: z.object({ rate: z.number() }),
    source: { name: 'exchange', maxConcurrent },
    ttlMs: 1_000,
    maxEntries: 2,
    ...(servesStale !== undefined && { servesStale }),
    read: async (_clients, currency) => ({ height, data: await read(currency) }),
  });
  const { read: reader } = createUnrecordedReader(rates, {
    clients: {} as Clients,
    limits: createSourceLimits(),
    logger: pino({ level: 'warn' }, { write: (line: string) => void logged.push(readJson(line)) }),
    now: () => clock,
    waitMs,
  });
  return {
    read,
    reader,
    warnings: () => logged,
    wait: (ms: number) => void (clock += ms),
    atBlock: (seqno: number) => void (height = seqno),
  };
}

test('a value is read once while it is fresh, also for readers at the same time', async () => {
  const { read, reader } = fixture();
  const values = await Promise.all([reader('USD'), reader('USD')]);
  expect([...values, await reader('USD')]).toEqual(
    Array(3).fill({ height: null, data: { rate: 1 }, at: '2026-01-01T00:00:00.000Z' }),
  );
  await reader('EUR');
  expect(read.mock.calls).toEqual([['USD'], ['EUR']]);
});

test('strangers cause no warnings: a site that anybody may have named, and reads that have no turn, are debug lines', async () => {
  const { read, reader, warnings } = fixture();
  for (const error of [new SiteFailed('is down'), new TooManyWaiting('too many')]) {
    read.mockRejectedValueOnce(error);
    await expect(reader('USD')).rejects.toThrow('has not been read yet');
  }
  expect(warnings()).toEqual([]);
  read.mockRejectedValueOnce(new Error('the source is down'));
  await expect(reader('USD')).rejects.toThrow('has not been read yet');
  expect(warnings()).toMatchObject([{ msg: 'unrecorded observation failed', kind: 'rates', key: 'USD' }]);
});

test.each([
  ['stale values are served', true, 0],
  ['stale values are served, of which it is one', true, 2_000],
  ['they are served on failure alone', 'on-failure', 0],
] as const)(
  'a value of an earlier block than is asked for is read again, once, where %s',
  async (_, servesStale, waitMs) => {
    const { read, reader, atBlock, wait } = fixture({ servesStale });
    atBlock(7);
    await reader('USD');
    atBlock(9);
    read.mockResolvedValueOnce({ rate: 2 });
    expect((await reader('USD', { minHeight: 7 })).height).toBe(7);
    wait(waitMs);
    expect(await reader('USD', { minHeight: 8 })).toMatchObject({ height: 9, data: { rate: 2 } });
    expect(await reader('USD', { minHeight: 9 })).toMatchObject({ height: 9, data: { rate: 2 } });
    expect(read).toHaveBeenCalledTimes(2);
  },
);

test('a stale value is served and refreshed in the background', async () => {
  const { read, reader, wait } = fixture();
  await reader('USD');
  wait(2_000);
  read.mockResolvedValueOnce({ rate: 2 });
  expect((await reader('USD')).data).toEqual({ rate: 1 });
  await nextTick();
  expect(await reader('USD')).toEqual({ height: null, data: { rate: 2 }, at: '2026-01-01T00:00:02.000Z' });
});

test('a stale value that may not be served is read again first, and is not the answer when that fails', async () => {
  const { read, reader, wait } = fixture({ servesStale: false });
  await reader('USD');
  wait(2_000);
  read.mockResolvedValueOnce({ rate: 2 });
  expect((await reader('USD')).data).toEqual({ rate: 2 });
  wait(2_000);
  read.mockRejectedValueOnce(new Error('HTTP 500'));
  await expect(reader('USD')).rejects.toMatchObject({ code: 'not_ready' });
});

test('where stale values are served on failure alone, one is read again first, and is the answer when that fails or hangs', async () => {
  const { read, reader, wait } = fixture({ servesStale: 'on-failure' });
  await reader('USD');
  wait(1_001);
  read.mockResolvedValueOnce({ rate: 2 });
  expect((await reader('USD')).data).toEqual({ rate: 2 });
  for (const broken of [() => Promise.reject(new Error('HTTP 500')), () => new Promise<never>(() => {})]) {
    wait(2_000);
    read.mockImplementationOnce(broken);
    expect((await reader('USD')).data).toEqual({ rate: 2 });
  }
});

test.each(['between reads', 'while it is read'])(
  'a value is fresh for no longer where the clock is set back %s',
  async when => {
    const { read, reader, wait } = fixture({ servesStale: 'on-failure' });
    read.mockImplementationOnce(async () => {
      if (when === 'while it is read') wait(-3_600_000);
      return { rate: 1 };
    });
    await reader('USD');
    if (when === 'between reads') wait(-3_600_000);
    await reader('USD');
    wait(1_001);
    read.mockResolvedValueOnce({ rate: 2 });
    expect((await reader('USD')).data).toEqual({ rate: 2 });
  },
);

test('the age of a value counts from when its read began', async () => {
  const { read, reader, wait } = fixture({ servesStale: 'on-failure' });
  read.mockImplementationOnce(async () => {
    wait(600);
    return { rate: 1 };
  });
  await reader('USD');
  wait(401);
  read.mockResolvedValueOnce({ rate: 2 });
  expect((await reader('USD')).data).toEqual({ rate: 2 });
});

test.each([
  ['fails', () => Promise.reject(new Error('HTTP 500'))],
  ['answers nonsense', async () => ({ rate: 'x' as unknown as number })],
])('while the source %s the last known value is served', async (_, broken) => {
  const { read, reader, wait } = fixture();
  await reader('USD');
  read.mockImplementation(broken);
  for (let reads = 0; reads < 3; reads++) {
    wait(2_000);
    expect((await reader('USD')).data).toEqual({ rate: 1 });
    await nextTick();
  }
  expect(read.mock.calls.length).toBeGreaterThan(2);
});

test.each([
  ['fails', () => Promise.reject(new Error('HTTP 500'))],
  ['does not answer', () => new Promise<never>(() => undefined)],
])('a value that is not cached is a 503 when the source %s', async (_, broken) => {
  const { read, reader } = fixture();
  read.mockImplementation(broken);
  await expect(reader('USD')).rejects.toMatchObject({ status: 503, code: 'not_ready' });
});

test('no more subjects are cached than allowed', async () => {
  const { read, reader } = fixture();
  for (const currency of ['USD', 'EUR', 'CHF', 'USD']) await reader(currency);
  expect(read).toHaveBeenCalledTimes(4);
});

test('a network that is off is refused at once, without a read', async () => {
  const read = jest.fn(async () => ({ height: 7, data: 1 }));
  const { read: reader } = createUnrecordedReader(
    defineObservation({
      kind: 'ton.answer',
      recorded: false,
      subject: { format: ({ network }: { network: 'mainnet' | 'testnet' }) => network },
      schema: z.number(),
      source: { name: 'ton', chainOf: ({ network }) => ({ chain: 'ton', network }) as const },
      ttlMs: 1_000,
      maxEntries: 2,
      read,
    }),
    {
      clients: {} as Clients,
      limits: createSourceLimits(),
      logger: pino({ level: 'silent' }),
      now: Date.now,
      followed: { ton: ['mainnet'], solana: [] },
    },
  );
  await expect(reader({ network: 'testnet' })).rejects.toMatchObject({ code: 'network_off' });
  expect(read).not.toHaveBeenCalled();
  expect((await reader({ network: 'mainnet' })).data).toBe(1);
});

test('who waits for what a stranger has asked for last does not wait for the rest', async () => {
  const { read, reader } = fixture({ maxConcurrent: 1, waitMs: 60_000 });
  const ends: (() => void)[] = [];
  read.mockImplementation(() => new Promise(resolve => ends.push(() => resolve({ rate: 1 }))));
  const currencies = ['stalled', ...Array.from({ length: 20 }, (_, n) => `made up ${n}`), 'USD'];
  const strangers = currencies.map(each => reader(each, { caller: 'stranger' }).catch(() => null));
  const honest = reader('USD', { caller: 'honest' });
  for (let n = 0; n < 3; n++) {
    await nextTick();
    ends.shift()!();
  }
  expect((await honest).data).toEqual({ rate: 1 });
  read.mockResolvedValue({ rate: 1 });
  for (const end of ends) end();
  await Promise.all(strangers);
});

test('a read that was not begun says so: the source was not asked', async () => {
  const { read, reader } = fixture({ maxConcurrent: 1 });
  read.mockReturnValue(new Promise(() => undefined));
  const [first, second] = await Promise.allSettled([reader('stalled'), reader('USD')]);
  expect(first).toMatchObject({ reason: { code: 'not_ready' } });
  expect(first).not.toMatchObject({ reason: expect.any(ReadNotBegun) as ReadNotBegun });
  expect(second).toMatchObject({ reason: expect.any(ReadNotBegun) as ReadNotBegun });
});

test('while a source is out, one line says so for all that is read of it', async () => {
  const { read, reader, warnings } = fixture();
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  for (const [currency, error] of [
    ['USD', refused],
    ['EUR', refused],
    ['GBP', new Error('the answer has no rate')],
  ] as const) {
    read.mockRejectedValueOnce(error);
    await expect(reader(currency)).rejects.toThrow('has not been read yet');
  }
  expect(warnings()).toEqual([
    expect.objectContaining({ msg: 'source of observations failed', reason: refused.message }),
    expect.objectContaining({ msg: 'unrecorded observation failed', key: 'GBP' }),
  ]);
});
