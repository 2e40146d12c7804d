import type { LocalQuotes } from '../../contracts/chain/local-market';
import type { PriceRecord } from '../../contracts/chain/prices';
import type { NewMessage } from '../../contracts/ports/log';
import type { PublicWeb } from '../../contracts/ports/public-web';
import { webOf } from '../../test/doubles/public-web';
import { until } from '../../test/until';
import type { PriceSource, SourcePrice } from './price-source';
import { readPriceSource, readPriceSources } from './read-sources';
import { localPriceSources } from './sources';

const NOW = Date.UTC(2026, 0, 1, 12);
const URL = 'https://market.local.invalid/local-a.json';
const venue = localPriceSources(async () => '3.01').find(({ name }) => name === 'local-a')!;
const quotes: LocalQuotes = {
  venue: 'local-a',
  isDouble: true,
  at: NOW - 2_000,
  coins: { TON: '3.01', XAUT: '3999', SOL: '150.5' },
};

/** What is published when the source answers so, each read after the other. */
async function published(source: PriceSource, ...webs: readonly PublicWeb[]) {
  const records: PriceRecord[] = [];
  const logged: string[] = [];
  const failing = new Map<string, string>();
  for (const web of webs)
    await readPriceSource(
      {
        sources: [],
        web,
        log: {
          async publish(topic: string, sent: readonly NewMessage[]) {
            expect(topic).toBe('prices');
            for (const { key, value } of sent) {
              const record = JSON.parse(value.toString()) as PriceRecord;
              expect(key).toBe(record.asset);
              records.push(record);
            }
          },
        },
        logger: {
          info: (_: unknown, message?: string) => void logged.push(message!),
          warn: (_: unknown, message?: string) => void logged.push(message!),
        },
        now: () => NOW,
      },
      source,
      new AbortController().signal,
      failing,
    );
  return { records, logged };
}

it('publishes each price under its asset, with its source and time', async () => {
  const { records } = await published(venue, webOf({ [URL]: JSON.stringify(quotes) }));
  const shared = {
    source: 'local-a',
    at: '2026-01-01T11:59:58.000Z',
    readAt: '2026-01-01T12:00:00.000Z',
    quorum: 3,
  };
  expect(records).toEqual([
    { ...shared, asset: 'local/coin/SOL', price: '150.5' },
    { ...shared, asset: 'local/coin/XAUT', price: '3999' },
  ]);
});

it('takes the time of the read where the clock of the source is ahead', async () => {
  const ahead = JSON.stringify({ ...quotes, at: NOW + 3_600_000 });
  const { records } = await published(venue, webOf({ [URL]: ahead }));
  expect(new Set(records.map(({ at }) => at))).toEqual(new Set(['2026-01-01T12:00:00.000Z']));
});

it('publishes nothing of an answer with a wrong part, and says once that it cannot be read, and when it can again', async () => {
  const wrong = webOf({ [URL]: JSON.stringify({ ...quotes, coins: { XAUT: '3999', SOL: '-1' } }) });
  const right = webOf({ [URL]: JSON.stringify(quotes) });
  const { records, logged } = await published(venue, wrong, webOf({}), right);
  expect(records).toHaveLength(2);
  expect(logged).toEqual(['prices could not be read', 'prices can be read again']);
});

it('says once that a source cannot be reached, and once that it can again, however much is read of it', async () => {
  const parse = (): readonly SourcePrice[] => [];
  const mirrors = { url: 'https://mirror.example/3', parse };
  const requests = [
    [{ url: 'https://a.example/1', parse }],
    [{ url: 'https://a.example/2', parse }],
    [{ url: 'https://a.example/3', parse }, mirrors],
  ];
  const source = { ...venue, requests };
  const away = { ...webOf({}), get: async () => Promise.reject(new Error('ENOTFOUND a.example')) };
  const back = { ...webOf({}), get: async () => Buffer.from('{}') };
  expect((await published(source, away, away, back, back)).logged).toEqual([
    'prices could not be read',
    'prices can be read again',
  ]);
  const partly = {
    ...back,
    get: async (url: string) => Promise.reject(new Error(`${url.at(-1)} is not listed`)),
  };
  expect((await published(source, partly)).logged).toHaveLength(3);
});

it('publishes the table that comes with the program, which needs no source to agree', async () => {
  const embedded = localPriceSources(async () => '3.01').find(({ name }) => name === 'embedded')!;
  const { records } = await published(embedded, webOf({}));
  expect(records).toContainEqual({
    asset: 'local/currency/EUR',
    source: 'embedded',
    price: '0.86',
    at: '2026-01-01T12:00:00.000Z',
    readAt: '2026-01-01T12:00:00.000Z',
    quorum: 1,
  });
});

it('takes TON of the double only where no exchange of the local network has a price of it', async () => {
  const web = webOf({ [URL]: JSON.stringify(quotes) });
  const quiet = localPriceSources(null).find(({ name }) => name === 'local-a')!;
  const assets = async (source: PriceSource) =>
    (await published(source, web)).records.map(({ asset }) => asset).sort();
  expect(await assets(venue)).toEqual(['local/coin/SOL', 'local/coin/XAUT']);
  expect(await assets(quiet)).toEqual(['local/coin/SOL', 'local/coin/TON', 'local/coin/XAUT']);
});

it('publishes what contracts say of TON; nothing before there is a pool, or while its network does not answer', async () => {
  const publishedOf = (priceOfTon: () => Promise<string | null>) => {
    const dex = localPriceSources(priceOfTon).find(({ name }) => name === 'local-dex')!;
    return published(dex, webOf({}));
  };
  expect(await publishedOf(async () => '3.01')).toMatchObject({
    records: [{ asset: 'local/coin/TON', source: 'local-dex', price: '3.01', quorum: 1 }],
  });
  expect(await publishedOf(async () => null)).toEqual({ records: [], logged: [] });
  const down = await publishedOf(() => Promise.reject(new Error('TON does not answer')));
  expect(down).toEqual({ records: [], logged: ['prices could not be read'] });
});

it('reads every source again after its interval, while another does not answer, until the signal', async () => {
  const stop = new AbortController();
  const asked = new Map<string, number>();
  const web: PublicWeb = {
    ...webOf({}),
    get: (url, { signal }) => {
      asked.set(url, (asked.get(url) ?? 0) + 1);
      if (url === URL) return Promise.resolve(Buffer.from(JSON.stringify(quotes)));
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error())));
    },
  };
  const stalled = localPriceSources(async () => '3.01').find(({ name }) => name === 'local-b')!;
  const reading = readPriceSources(
    {
      sources: [venue, stalled].map(source => ({ ...source, intervalMs: 1, past: [], embedded: [] })),
      web,
      log: { publish: async () => undefined },
      logger: { info: () => undefined, warn: () => undefined },
      now: () => NOW,
    },
    stop.signal,
  );
  await until(() => asked.get(URL)! >= 3);
  stop.abort();
  await reading;
  expect([...asked.values()].sort()).toEqual([1, asked.get(URL)]);
});
