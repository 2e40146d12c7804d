import { createQueryCache } from '../../projections/engine/query-cache';
import { createPricedReplies } from './priced-reply';
import { evidenceOf, type Priced } from './prices';

const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

const priced = (name: string, minute: number): Priced => ({
  _id: name,
  price: '3.01',
  at: new Date(START + minute * MINUTE_MS).toISOString(),
  isFrozen: false,
  used: [],
  dropped: [],
  history: {},
});

let [minute, version, computed] = [0, 0, 0];
let prices: readonly Priced[] = [];
/** What happens while a reply is made, once it is known which prices are stale. */
let meanwhile = (): void => undefined;
beforeEach(() => {
  [minute, version, computed] = [0, version + 1, 0];
  prices = [priced('TON', 0), priced('SOL', 5)];
  meanwhile = () => undefined;
});

const { reply } = createPricedReplies({
  views: { cached: createQueryCache(async () => String(version)), waitForChange: async () => undefined },
  clock() {
    meanwhile();
    return new Date(START + minute * MINUTE_MS);
  },
});

/** Which prices are said to be stale, and how old the oldest is. */
async function answered() {
  const made = await reply(['all'], async now => {
    computed += 1;
    return {
      body: { stale: prices.filter(each => evidenceOf(each, now).isStale).map(({ _id }) => _id) },
      priced: prices,
    };
  });
  return { stale: [...made!.body.stale], age: made!.headers['Age'] };
}

it('is computed once, and once more for each price that grows stale', async () => {
  const seen: unknown[] = [];
  for (minute = 8; minute <= 18; minute++) for (let n = 0; n < 10; n++) seen.push(await answered());
  expect(computed).toBe(3);
  expect(seen).toEqual(
    Array.from({ length: 110 }, (_, n) => {
      const age = 8 + Math.floor(n / 10);
      return { stale: ['TON', 'SOL'].slice(0, age > 15 ? 2 : age > 10 ? 1 : 0), age: String(age * 60) };
    }),
  );
});

it('has new prices at once, also while others are stale', async () => {
  minute = 20;
  expect(await answered()).toEqual({ stale: ['TON', 'SOL'], age: '1200' });
  [prices, version] = [[priced('TON', 0), priced('SOL', 20)], version + 1];
  expect(await answered()).toEqual({ stale: ['TON'], age: '1200' });
  [prices, version] = [[priced('TON', 20), priced('SOL', 20)], version + 1];
  expect(await answered()).toEqual({ stale: [], age: '0' });
});

it('says what is stale of prices that have come in while it was made', async () => {
  minute = 11;
  meanwhile = () => {
    [prices, version] = [[priced('TON', 2), priced('SOL', 11)], version + 1];
    meanwhile = () => undefined;
  };
  expect(await answered()).toEqual({ stale: [], age: '540' });
  minute = 13;
  expect(await answered()).toEqual({ stale: ['TON'], age: '660' });
});
