import { pino } from 'pino';
import type { PoolRoundSubject } from '../../../contracts/chain/ton-staking';
import { keepRounds, type KeepRoundsDeps } from './keep-rounds';
import type { ObservedRounds } from './known-rounds';

const POOL = 'pool';

const ended = (n: number, pool: ObservedRounds['pool'], at: string | null = null): ObservedRounds => ({
  end: {
    network: 'mainnet',
    pool: POOL,
    lt: String(n),
    hash: '',
    time: n,
    returned: 0n,
    demanded: null,
  },
  pool,
  at,
});

/**
 * Runs the worker over doubles, until the last look.
 * @param looks what is known of the rounds of the pool at each look
 */
async function run(looks: readonly (readonly ObservedRounds[] | null | Error)[]) {
  const stop = new AbortController();
  const [requested, watched, waits]: [string[], string[], number[]] = [[], [], []];
  let look = 0;
  const deps = {
    views: {
      async cached() {
        const found = looks[look++];
        if (found instanceof Error) throw found;
        return found ?? null;
      },
      subscribe: () => () => undefined,
      async waitForChange(_sources: unknown, waitMs: number) {
        waits.push(waitMs);
        if (look >= looks.length) stop.abort();
        await new Promise(setImmediate);
      },
    },
    transactions: { sources: () => ['proxy'] },
    parties: {
      read: async () => ({ data: { proxy: 'proxy' } }),
    },
    rounds: {
      collection: 'rounds',
      isStale: (at: string) => at === 'long ago',
      request: async ({ lt }: PoolRoundSubject) => void requested.push(lt),
    },
    watch: async ({ address }: { readonly address: string }) => void watched.push(address),
    pools: { mainnet: [POOL], testnet: [] },
    networks: ['mainnet', 'testnet'],
    logger: pino({ level: 'silent' }),
  } as unknown as KeepRoundsDeps;
  await keepRounds(deps, stop.signal);
  return { requested, watched: new Set(watched), waits };
}

const ROUND = { round: 1 } as ObservedRounds['pool'];

test('the proxy of each pool is watched, and what is missing is requested, less and less often', async () => {
  const missing = [ended(1, undefined), ended(2, ROUND), ended(3, undefined)];
  const { requested, watched, waits } = await run([missing, missing, missing, [ended(1, ROUND)], missing]);
  expect([...watched]).toEqual(['proxy']);
  expect(requested.slice(0, 4)).toEqual(['1', '3', '1', '3']);
  const [first, second, third, whole, again] = waits as [number, number, number, number, number];
  expect([second / first, third / second]).toEqual([2, 2]);
  expect(whole).toBeGreaterThan(third);
  expect(again).toBe(first);
});

test('what the nodes did not have is requested again a day later, and what is known never', async () => {
  const { requested } = await run([
    [ended(1, ROUND, 'long ago'), ended(2, null, 'long ago'), ended(3, null, 'just now')],
  ]);
  expect(requested).toEqual(['2']);
});

test('a pool that cannot be read is tried again, later each time', async () => {
  const { waits, requested } = await run([new Error('503'), new Error('503'), [ended(1, undefined)]]);
  expect(waits[1]! / waits[0]!).toBe(2);
  expect(requested).toEqual(['1']);
});
