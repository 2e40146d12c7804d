import { coinAsset, PRICE_STEPS, type PastPricesRecord } from '../../contracts/chain/prices';
import type { NewMessage } from '../../contracts/ports/log';
import { webOf } from '../../test/doubles/public-web';
import type { PastSteps, PriceSource } from './price-source';
import { readPastOnce, readPastPrices } from './read-past';
import { LIVE_PRICE_SOURCES, localPriceSources } from './sources';

const NOW = Date.UTC(2026, 0, 31, 12, 20);

/** A double of a market, which says that TON costs so much; it has a document for each step. */
const market = (name: string): PriceSource => ({
  name,
  realm: 'live',
  intervalMs: 1,
  quorum: 3,
  requests: [],
  past: [
    {
      asset: coinAsset('TON'),
      requests: ({ step, from, until }: PastSteps) => [
        {
          url: `${name}/${step}`,
          parse: answer => [
            [from * PRICE_STEPS[step], answer as string],
            // Steps that were not asked for, among them the one that has begun.
            [(from - 1) * PRICE_STEPS[step], '9'],
            [until * PRICE_STEPS[step], '9'],
          ],
        },
      ],
    },
  ],
});

const answersOf = (...names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap(name => Object.keys(PRICE_STEPS).map(step => [`${name}/${step}`, '"3.01"'] as const)),
  );

async function read(sources: readonly PriceSource[], answers: Record<string, string>, done?: Set<string>) {
  const records: PastPricesRecord[] = [];
  const logged: string[] = [];
  const web = webOf(answers);
  const isComplete = await readPastOnce(
    {
      sources,
      web,
      log: {
        async publish(topic: string, sent: readonly NewMessage[]) {
          expect(topic).toBe('prices');
          for (const { key, value } of sent) {
            const record = JSON.parse(value.toString()) as PastPricesRecord;
            expect(key).toBe(record.asset);
            records.push(record);
          }
        },
      },
      logger: { info: () => undefined, warn: (_: unknown, message?: string) => void logged.push(message!) },
      now: () => NOW,
    },
    new AbortController().signal,
    done,
  );
  return { isComplete, records, logged, reads: web.reads };
}

it('publishes what each source says of the steps that have ended, and when that was read', async () => {
  const names = ['a', 'b', 'c'];
  const { isComplete, records } = await read(names.map(market), answersOf(...names));
  expect(isComplete).toBe(true);
  expect(records.map(({ step }) => step)).toEqual(['quarters', 'hours', 'days']);
  const hours = records[1]!;
  const from = Math.floor(NOW / 3_600_000) - 744;
  const prices = ['3.01', ...Array<null>(743).fill(null)];
  expect(hours).toEqual({
    asset: 'live/coin/TON',
    step: 'hours',
    from,
    closes: { a: prices, b: prices, c: prices },
    readAt: '2026-01-31T12:20:00.000Z',
    quorum: 3,
  });
});

it('publishes nothing that too few sources say, names a source that cannot be read once, and reads it again', async () => {
  const sources = ['a', 'b', 'c'].map(market);
  const done = new Set<string>();
  const { isComplete, records, logged } = await read(sources, answersOf('a', 'c'), done);
  expect([isComplete, records, logged]).toEqual([false, [], ['past prices could not be read']]);
  const again = await read(sources, { ...answersOf('a', 'c'), 'b/hours': '"3.02"' }, done);
  expect(again.records.map(({ step }) => step)).toEqual(['hours']);
  const last = await read(sources, answersOf('a', 'b', 'c'), done);
  expect(last.isComplete).toBe(true);
  expect(last.reads).not.toContain('a/hours');
});

it('waits for no past that too few sources have, so that the others are read again', async () => {
  const { isComplete, records, reads } = await read([market('a'), market('b')], answersOf('a', 'b'));
  expect([isComplete, records, reads]).toEqual([true, [], []]);
});

it('reads every day again what enough sources say, also while too few say what another coin cost', async () => {
  jest.useFakeTimers({ now: NOW });
  try {
    const stop = new AbortController();
    const xaut = (name: string): PriceSource => {
      const [past] = market(name).past!;
      return { ...market(name), past: [{ ...past!, asset: coinAsset('XAUT') }] };
    };
    const sources = [...['a', 'b', 'c'].map(market), ...['d', 'e', 'f'].map(xaut)];
    const readAt: string[] = [];
    const reading = readPastPrices(
      {
        sources,
        web: webOf(answersOf('a', 'b', 'c', 'd', 'e')),
        log: {
          async publish(_topic: string, sent: readonly NewMessage[]) {
            const records = sent.map(({ value }) => JSON.parse(value.toString()) as PastPricesRecord);
            for (const record of records) if (record.step === 'hours') readAt.push(record.readAt);
          },
        },
        logger: { info: () => undefined, warn: () => undefined },
        now: Date.now,
      },
      stop.signal,
      new Map(),
    );
    await jest.advanceTimersByTimeAsync(2 * 86_400_000);
    stop.abort();
    await jest.advanceTimersByTimeAsync(1);
    await reading;
    const days = new Set(readAt.map(at => at.slice(0, 10)));
    expect([...days]).toEqual(['2026-01-31', '2026-02-01', '2026-02-02']);
    expect(readAt).toHaveLength(3);
  } finally {
    jest.useRealTimers();
  }
});

it('takes the table that comes with the program for what it always was', async () => {
  const embedded = localPriceSources(async () => '3.01').filter(({ name }) => name === 'embedded');
  const { records } = await read(embedded, {});
  const euro = records.find(({ asset, step }) => asset === 'local/currency/EUR' && step === 'days')!;
  expect(euro.closes).toEqual({ embedded: Array<string>(366).fill('0.86') });
});

it('asks enough sources for the past of every coin of the markets', () => {
  const past = LIVE_PRICE_SOURCES.flatMap(source =>
    (source.past ?? []).map(({ asset }) => ({ asset, source })),
  );
  for (const coin of ['TON', 'SOL', 'USDY', 'XAUT'] as const) {
    const places = past.filter(({ asset }) => asset.type === 'coin' && asset.coin === coin);
    expect(places.length).toBeGreaterThanOrEqual(places[0]!.source.quorum);
  }
});
