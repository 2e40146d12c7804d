import { assetKey } from '../../contracts/chain/prices';
import { poolPriceQueue } from '../../contracts/chain/pool-prices';
import type { Document } from '../../contracts/ports/documents';
import { Problem } from '../../contracts/problem/problem';
import { openRecordedJobs } from '../../test/doubles/jobs';
import { CONTRACT_READS } from '../../contracts/http/ton/contracts';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import { createJettonDemand } from './jetton-demand';

const NOW = Date.UTC(2026, 0, 31, 12);
const MASTER = `0:${'ab'.repeat(32)}`;
const jetton = { network: 'mainnet', master: MASTER } as const;

/** Asks for the prices of a jetton that was priced so many seconds ago; null: never. @param asks by the clock, in seconds */
async function demand(
  age: number | null,
  {
    hasPool = async () => true,
    asks = [0],
    perMinute = 600,
  }: { hasPool?: () => Promise<boolean>; asks?: readonly number[]; perMinute?: number } = {},
) {
  const jobs = openRecordedJobs();
  const logged: string[] = [];
  const limits = createMemoryLimits({ [CONTRACT_READS.name]: perMinute });
  let now = NOW;
  let looks = 0;
  let waits = 0;
  let pricedAt = age === null ? null : NOW - age * 1_000;
  const ask = createJettonDemand({
    views: {
      async getMany<D extends Document>(_collection: string, [id]: readonly string[]) {
        if (pricedAt === null) return new Map<string, D>();
        expect(id).toBe(assetKey('live', { type: 'jetton', ...jetton }));
        return new Map([[id!, { price: '1', at: new Date(pricedAt).toISOString() } as unknown as D]]);
      },
      async waitForChange() {
        waits++;
        pricedAt = NOW;
      },
    },
    realm: 'live',
    jobs,
    hasPool: {
      async read(asked) {
        expect(asked).toEqual(jetton);
        looks++;
        return { height: null, data: await hasPool(), at: '' };
      },
    },
    limits: async () => limits,
    clock: () => new Date(now),
    logger: { debug: () => undefined, warn: (_: unknown, message?: string) => void logged.push(message!) },
  });
  for (const seconds of asks) {
    now = NOW + seconds * 1_000;
    await ask([jetton]);
  }
  await jobs.close();
  return { requested: jobs.added.map(({ data }) => data), queue: jobs.added[0]?.queue, looks, waits, logged };
}

it('asks for nothing while the price is new', async () => {
  expect(await demand(59)).toMatchObject({ requested: [], looks: 0, waits: 0 });
});

it('has an older price read again, and waits for none', async () => {
  const { requested, queue, waits } = await demand(120);
  expect(requested).toEqual([jetton]);
  expect(queue).toBe(poolPriceQueue('mainnet'));
  expect(waits).toBe(0);
});

it('waits for a new price while the known one is stale', async () => {
  expect(await demand(3_600)).toMatchObject({ requested: [jetton], looks: 0, waits: 1 });
});

it('waits for a first price when there is a pool that can make one', async () => {
  expect(await demand(null)).toMatchObject({ requested: [jetton], looks: 1, waits: 1 });
});

it('stores nothing of a jetton without one, and looks once, however often it is asked for', async () => {
  const found = await demand(null, { hasPool: async () => false, asks: [0, 1, 2, 3, 4] });
  expect(found).toMatchObject({ requested: [], looks: 1, waits: 0 });
});

it('looks again after five seconds, also when the clock was set back', async () => {
  const found = await demand(null, { hasPool: async () => false, asks: [0, 6, -3_600, -3_594] });
  expect(found.looks).toBe(3);
});

it('does not fail while TON does not answer', async () => {
  const down = (): never => {
    throw Problem.unavailable('The pools have not been read yet.', 2);
  };
  expect(await demand(null, { hasPool: down })).toMatchObject({ requested: [], logged: [] });
  const broken = () => Promise.reject(new Error('broken'));
  expect((await demand(null, { hasPool: broken })).logged).toEqual([
    'price of a jetton could not be requested',
  ]);
});

it('looks for pools of so many jettons of a caller in a minute, and of one once', async () => {
  const limits = createMemoryLimits({ [CONTRACT_READS.name]: 3 });
  const [stranger, honest] = [{ ip: '203.0.113.9' }, { ip: '192.0.2.1' }];
  const asked: string[] = [];
  const ask = createJettonDemand({
    views: { getMany: async () => new Map(), waitForChange: async () => undefined },
    realm: 'live',
    jobs: openRecordedJobs(),
    hasPool: {
      async read({ master }, options) {
        asked.push(`${options!.caller} ${master}`);
        return { height: null, data: false, at: '' };
      },
    },
    limits: async () => limits,
    clock: () => new Date(NOW),
    logger: { debug: () => undefined, warn: () => expect(true).toBe(false) },
  });
  const jettons = Array.from({ length: 5 }, (_, n) => ({ network: 'mainnet', master: `0:${n}` }) as const);
  await ask(jettons, stranger);
  await ask(jettons, stranger);
  expect(asked).toHaveLength(3);
  await ask([jetton], honest);
  expect(asked.slice(3)).toEqual([`${honest.ip} ${MASTER}`]);
});
