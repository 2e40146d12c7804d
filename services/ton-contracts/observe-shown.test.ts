import { formatTonAddress } from '../../contracts/account/address';
import { createObserveShown } from './observe-shown';

const raw = (n: number): string => `0:${n.toString(16).padStart(64, '0')}`;
const friendly = (n: number): string => formatTonAddress(raw(n), 'mainnet');

/** Some stored contracts, and the addresses that are requested. */
function fixture({ stored = [] as number[] } = {}) {
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
  });
  return { requested, getMany, observe: (...ns: number[]) => observe('mainnet', ns.map(friendly)) };
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
  });
  await observe('mainnet', ['', 'nonsense']);
  expect(requested).toEqual([]);
});

it('requests a bounded number within a minute', async () => {
  const { observe, requested } = fixture();
  for (let page = 0; page < 40; page++)
    await observe(...Array.from({ length: 32 }, (_, n) => page * 32 + n + 1));
  expect(requested).toHaveLength(1_000);
});

it('does not fail when the documents cannot be read', async () => {
  const observe = createObserveShown({
    views: {
      getMany: async () => {
        throw new Error('away');
      },
    },
    contracts: { source: () => ({ collection: 'c' }), request: async () => undefined },
  });
  await expect(observe('mainnet', [friendly(1)])).resolves.toBeUndefined();
});
