import { formatTonAddress } from '../../contracts/account/address';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import { createObserveShown } from './observe-shown';

const raw = (n: number): string => `0:${n.toString(16).padStart(64, '0')}`;
const friendly = (n: number): string => formatTonAddress(raw(n), 'mainnet');

const HONEST = { ip: '198.51.100.7' };
const stranger = (n: number) => ({ ip: `192.0.2.${n}` });

/** Some stored contracts, and the addresses that are requested. */
function fixture({ stored = [] as number[], limits = NO_LIMITS } = {}) {
  const requested: string[] = [];
  const documents = new Set(stored.map(n => `ton:mainnet:${raw(n)}`));
  const getMany = jest.fn(async (_collection: string, ids: readonly string[]) => {
    const found = ids.filter(id => documents.has(id));
    return new Map(found.map(_id => [_id, { _id }])) as never;
  });
  const observe = createObserveShown({
    views: { getMany },
    contracts: {
      source: () => ({ collection: 'contracts' }),
      request: async ({ address }) => void requested.push(address),
    },
    limits: async () => limits,
  });
  const show = (reader: { ip: string }, ...ns: number[]) => observe('mainnet', ns.map(friendly), reader);
  return { requested, getMany, show, observe: (...ns: number[]) => show(HONEST, ...ns) };
}

it('requests each contract that is not stored once', async () => {
  const { observe, requested } = fixture({ stored: [2] });
  await observe(1, 2, 1, 3);
  await observe(3, 1);
  expect(requested).toEqual([raw(1), raw(3)]);
});

it('does not look again for one that is stored', async () => {
  const { observe, getMany } = fixture({ stored: [1, 2] });
  await observe(1, 2);
  await observe(2, 1);
  expect(getMany).toHaveBeenCalledTimes(1);
});

it('ignores what is no address', async () => {
  const requested: unknown[] = [];
  const observe = createObserveShown({
    views: { getMany: async () => new Map() },
    contracts: { source: () => ({ collection: 'c' }), request: async of => void requested.push(of) },
    limits: async () => NO_LIMITS,
  });
  await observe('mainnet', ['', 'nonsense'], HONEST);
  expect(requested).toEqual([]);
});

/** Pages of contracts that nobody has read. */
const pages = (count: number, first: number): number[][] =>
  Array.from({ length: count }, (_, page) => Array.from({ length: 32 }, (_, n) => first + page * 32 + n));

it('requests a quarter of those of a minute for a stranger, whatever it is shown, and those of others beside it', async () => {
  const { show, observe, requested } = fixture();
  for (const page of pages(40, 1_000)) await show(stranger(1), ...page);
  expect(requested).toHaveLength(250);
  for (const n of [2, 3, 4]) for (const page of pages(10, n * 10_000)) await show(stranger(n), ...page);
  await observe(1, 2);
  expect(requested.slice(-2)).toEqual([raw(1), raw(2)]);
});

it('counts them to what the reader may have stored within a minute and a day', async () => {
  const limits = createMemoryLimits({ stored_contracts: 3 }, { stored_contracts_per_day: 16 });
  const { show, observe, requested } = fixture({ limits });
  await show(stranger(1), 11, 12, 13, 14);
  expect(requested).toEqual([11, 12, 13].map(raw));
  for (let n = 2; n < 9; n++) await show(stranger(n), ...[1, 2, 3].map(each => n * 10 + each));
  const ofStrangers = requested.length;
  expect(ofStrangers).toBeLessThan(16);
  await observe(1);
  expect(requested.at(-1)).toBe(raw(1));
});

it('requests for a reader what it did not for a stranger beyond its share', async () => {
  const { show, observe, requested } = fixture({ limits: createMemoryLimits({ stored_contracts: 1 }) });
  await show(stranger(1), 1, 2);
  await observe(2);
  expect(requested).toEqual([raw(1), raw(2)]);
});

it('does not fail when the documents cannot be read', async () => {
  const observe = createObserveShown({
    views: {
      getMany: async () => {
        throw new Error('away');
      },
    },
    contracts: { source: () => ({ collection: 'c' }), request: async () => undefined },
    limits: async () => NO_LIMITS,
  });
  await expect(observe('mainnet', [friendly(1)], HONEST)).resolves.toBeUndefined();
});
