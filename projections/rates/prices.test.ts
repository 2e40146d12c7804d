import { PRICES_TOPIC, type PastPricesRecord, type PriceRecord } from '../../contracts/chain/prices';
import { messages } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { pricesProjection, type PriceDocument } from './prices';

const ASSET = 'live/coin/TON';
const START = Date.UTC(2026, 0, 1);
const instant = (minute: number): string => new Date(START + minute * 60_000).toISOString();

/** A quote that was read at a minute, and is as old as that unless said otherwise. */
const quote = (source: string, price: string, minute: number, at = minute): PriceRecord => ({
  asset: ASSET,
  source,
  price,
  at: instant(at),
  readAt: instant(minute),
  quorum: 3,
});

async function priceAfter(...records: readonly (PriceRecord | PastPricesRecord)[]): Promise<PriceDocument> {
  const inputs = messages(
    PRICES_TOPIC.name,
    records.map(value => ({ key: value.asset, value })),
  );
  const { prices } = await given(pricesProjection, inputs).replay();
  expect(prices).toHaveLength(1);
  return prices![0] as PriceDocument;
}

const named = (quotes: readonly { readonly source: string }[]) => quotes.map(({ source }) => source);

it('is the median of what the sources said last, with the sources and times it came from', async () => {
  const document = await priceAfter(
    quote('okx', '2.90', 0),
    quote('gate', '3.00', 1),
    quote('okx', '3.02', 2),
    quote('bybit', '3.01', 3),
  );
  expect(document).toEqual({
    _id: ASSET,
    price: '3.01',
    at: instant(3),
    isFrozen: false,
    used: [
      { source: 'bybit', price: '3.01', at: instant(3) },
      { source: 'gate', price: '3.00', at: instant(1) },
      { source: 'okx', price: '3.02', at: instant(2) },
    ],
    dropped: [],
    history: {
      quarters: { from: START / 900_000, prices: ['3.01'] },
      hours: { from: START / 3_600_000, prices: ['3.01'] },
      days: { from: START / 86_400_000, prices: ['3.01'] },
    },
  });
});

it('is not moved by one source that says a thousand times as much', async () => {
  const honest = [quote('okx', '3.00', 0), quote('gate', '3.01', 1), quote('bybit', '3.02', 2)];
  const document = await priceAfter(...honest, quote('okx', '3000', 3));
  expect(document).toMatchObject({ price: '3.02', isFrozen: false });
  expect(named(document.dropped)).toEqual(['okx']);
});

it('does not follow one source that drifts away slowly, and drops it in the end', async () => {
  const drifting = Array.from({ length: 200 }, (_, minute) => [
    quote('okx', '3.00', minute),
    quote('gate', '3.01', minute),
    quote('bybit', (3 * 1.002 ** minute).toFixed(6), minute),
  ]);
  let highest = 0;
  for (const minutes of [10, 25, 50, 200]) {
    const { price, isFrozen } = await priceAfter(...drifting.slice(0, minutes).flat());
    expect(isFrozen).toBe(false);
    highest = Math.max(highest, Number(price));
  }
  expect(highest).toBeLessThanOrEqual(3.01);
  const document = await priceAfter(...drifting.flat());
  expect(document.price).toBe('3.01');
  expect(named(document.dropped)).toEqual(['bybit']);
});

it('is frozen when too few sources are fresh or agree, and moves again when they do', async () => {
  const agreed = [quote('okx', '3.00', 0), quote('gate', '3.02', 1), quote('bybit', '3.01', 1)];
  const disputed = await priceAfter(...agreed, quote('gate', '30', 2), quote('bybit', '300', 2));
  expect(disputed).toMatchObject({ price: '3.01', at: instant(2), isFrozen: true, used: [] });
  expect(named(disputed.dropped)).toEqual(['bybit', 'gate', 'okx']);

  const alone = [...agreed, quote('okx', '3.10', 12), quote('gate', '3.12', 12)];
  expect(await priceAfter(...alone)).toMatchObject({ price: '3.01', at: instant(1), isFrozen: true });
  expect(await priceAfter(...alone, quote('bybit', '3.11', 13))).toMatchObject({
    price: '3.11',
    at: instant(13),
    isFrozen: false,
  });
});

it('does not move by what two sources say, however near they are to each other', async () => {
  expect(await priceAfter(quote('okx', '3.00', 0), quote('gate', '3.00', 0))).toMatchObject({
    price: null,
    at: null,
    isFrozen: true,
  });
});

it('does not count a source that goes on to answer with an old price', async () => {
  const document = await priceAfter(
    quote('okx', '2.00', 30, 5),
    quote('gate', '3.00', 30),
    quote('bybit', '3.02', 31),
    quote('kucoin', '3.01', 31),
  );
  expect(document).toMatchObject({ price: '3.01', dropped: [] });
  expect(named(document.used)).toEqual(['bybit', 'gate', 'kucoin']);
});

it('keeps the newer of two quotes of a source', async () => {
  const document = await priceAfter(
    quote('okx', '3.00', 5),
    quote('okx', '3.10', 6, 4),
    quote('gate', '3.02', 6),
    quote('bybit', '3.01', 6),
  );
  expect(document).toMatchObject({ price: '3.01' });
});

it('follows its sources after the clock, which was an hour ahead, was set back', async () => {
  const said = (price: string, minute: number) =>
    ['okx', 'gate', 'bybit'].map(source => quote(source, price, minute));
  const document = await priceAfter(...said('3.00', 60), ...said('4.00', 1), ...said('4.10', 2));
  expect(document).toMatchObject({ price: '4.10', at: instant(2), isFrozen: false });
  expect(document.used.map(({ at }) => at)).toEqual([instant(2), instant(2), instant(2)]);

  const years = 5 * 366 * 24 * 60;
  const { history } = await priceAfter(...said('3.00', years), ...said('4.00', 1), ...said('4.10', 60));
  expect(history.hours).toEqual({ from: START / 3_600_000, prices: ['4.00', '4.10'] });
  expect(history.days).toEqual({ from: START / 86_400_000, prices: ['4.10'] });
});

it('is what a file of operators says, which nobody moves; others count again once the file is silent', async () => {
  const file = (price: string, minute: number) => ({ ...quote('file', price, minute), quorum: 1 });
  const others = (minute: number) => ['okx', 'gate', 'bybit'].map(source => quote(source, '3.10', minute));
  for (const records of [
    [file('3.00', 0), quote('okx', '3.10', 1)],
    [quote('okx', '3.10', 0), file('3.00', 1)],
    [file('3.00', 0), ...others(1)],
    [...others(0), file('3.00', 1)],
  ]) {
    const document = await priceAfter(...records);
    expect(document).toMatchObject({ price: '3.00', isFrozen: false });
    expect(named(document.used)).toEqual(['file']);
    expect(named(document.dropped)).not.toContain('file');
  }
  expect(await priceAfter(file('3.00', 0), ...others(11))).toMatchObject({ price: '3.10', isFrozen: false });
});

it('has a history of the last price of each quarter of an hour, hour and day', async () => {
  const document = await priceAfter(
    ...[0, 30, 60, 120].flatMap(minute => [
      quote('okx', String(3 + minute / 60), minute),
      quote('gate', String(3 + minute / 60), minute),
      quote('bybit', String(3 + minute / 60), minute),
    ]),
  );
  expect(document.history.hours?.prices).toEqual(['3.50', '4.00', '5.00']);
  expect(document.history.quarters?.prices).toEqual([
    ...['3.00', null, '3.50', null],
    ...['4.00', null, null, null],
    '5.00',
  ]);
  expect(document.history.days?.prices).toEqual(['5.00']);
});

describe('what sources say of the past', () => {
  const HOUR = START / 3_600_000;
  const past = (closes: PastPricesRecord['closes'], from = HOUR - 2): PastPricesRecord => ({
    asset: ASSET,
    step: 'hours',
    from,
    closes,
    readAt: instant(10),
    quorum: 3,
  });

  it('is the median of each step where enough of them agree, which makes no price of now', async () => {
    const document = await priceAfter(
      past({ okx: ['2.90', '3.00', null], gate: ['2.92', '30', '3.04'], bybit: ['2900', '3.02', '3.05'] }),
    );
    expect(document).toMatchObject({ price: null, isFrozen: true, used: [], dropped: [] });
    expect(document.history.hours).toEqual({ from: HOUR - 2, prices: ['2.92', '3.02', null] });
  });

  it('does not replace what was observed, and changes nothing else', async () => {
    const observed = [quote('okx', '3.00', -90), quote('gate', '3.02', -90), quote('bybit', '3.01', -90)];
    const lists = past({ okx: ['1.00', '2.00'], gate: ['1.00', '2.00'], bybit: ['1.00', '2.00'] });
    const document = await priceAfter(...observed, lists, lists);
    expect(document).toMatchObject({ price: '3.01', at: instant(-90), isFrozen: false });
    expect(named(document.used)).toEqual(['bybit', 'gate', 'okx']);
    expect(document.history.hours).toEqual({ from: HOUR - 2, prices: ['3.01', '2.00'] });
  });
});
