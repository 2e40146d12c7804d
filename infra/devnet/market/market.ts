import {
  LOCAL_VENUES,
  type LocalCloses,
  type LocalQuotes,
  type LocalVenue,
} from '../../../contracts/chain/local-market';
import { COINS, PRICE_STEPS, type Coin, type PriceStep } from '../../../contracts/chain/prices';
import type { TokenFacts } from '../../../contracts/chain/token-facts';
import { sha256 } from '../../../contracts/encoding/sha256';

/** Dollars, around which prices move. */
const COIN_PRICES: Readonly<Record<Coin, number>> = { TON: 3, SOL: 150, USDY: 1.1, XAUT: 4_000 };
/** How far a price moves within each period, as a part of it. */
const MOVES: readonly (readonly [periodMs: number, part: number])[] = [
  [60_000, 0.002],
  [3_600_000, 0.01],
  [86_400_000, 0.04],
  [14 * 86_400_000, 0.1],
];
/** What a dollar-like asset moves, compared with others. */
const CALM: Readonly<Record<string, number>> = { USDY: 0.02, XAUT: 0.3 };
/** By how much the places of the market differ, as a part of the price. */
const SPREAD = 0.001;
const SPREAD_PERIOD_MS = 30_000;
const DECIMALS = 9;
const SEED = 'local market';

/**
 * What a place of the local market answers at an instant: a double, at which nobody trades. Prices follow a random walk that
 * depends on the seed and the time alone, so that the market has a past, and is the same after a restart.
 */
export function localQuotes(venue: LocalVenue, at: number, seed = SEED): LocalQuotes {
  const prices = (around: Readonly<Record<string, number>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(around).map(([asset, price]) => [asset, localPrice(seed, venue, asset, price, at)]),
    );
  return {
    venue,
    isDouble: true,
    at,
    coins: prices(COIN_PRICES),
  };
}

function localPrice(seed: string, venue: LocalVenue, asset: string, around: number, at: number): string {
  const calm = CALM[asset] ?? 1;
  const moved = MOVES.reduce(
    (sum, [periodMs, part]) => sum + part * noise(`${seed}/${asset}`, at / periodMs),
    0,
  );
  const spread = SPREAD * noise(`${seed}/${asset}/${venue}`, at / SPREAD_PERIOD_MS);
  return (around * Math.exp(calm * (moved + spread))).toFixed(DECIMALS);
}

/** What a place of the local market says that a coin was at the end of each step, in its only past: see `localQuotes`. */
export function localCloses(
  venue: LocalVenue,
  coin: Coin,
  step: PriceStep,
  { from, until }: { readonly from: number; readonly until: number },
): LocalCloses {
  const closes = Array.from({ length: until - from }, (_, n) =>
    localPrice(SEED, venue, coin, COIN_PRICES[coin], (from + n + 1) * PRICE_STEPS[step] - 1),
  );
  return { venue, isDouble: true, coin, step, from, closes };
}

export function isLocalVenue(name: string): name is LocalVenue {
  return LOCAL_VENUES.some(venue => venue === name);
}

/** Names, and whole coins that exist on the local market. */
const LOCAL_COINS: Readonly<Record<Coin, readonly [name: string, supply: number]>> = {
  TON: ['Local Toncoin', 5_000_000_000],
  SOL: ['Local Solana', 600_000_000],
  USDY: ['Local Dollar Yield', 400_000_000],
  XAUT: ['Local Gold', 250_000],
};

export function isLocalCoin(name: string): name is Coin {
  return COINS.some(coin => coin === name);
}

/** What is said of a coin of the local market: made up, and says so. */
export function localTokenFacts(coin: Coin, at: number): TokenFacts {
  const priceAt = (instant: number): number => Number(localQuotes(LOCAL_VENUES[0], instant).coins[coin]);
  const price = priceAt(at);
  const changeSince = (hours: number): number => 100 * (price / priceAt(at - hours * 3_600_000) - 1);
  const [name, supply] = LOCAL_COINS[coin];
  return {
    source: 'local market',
    name,
    symbol: coin,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    rank: COINS.indexOf(coin) + 1,
    circulatingSupply: supply,
    totalSupply: supply,
    maxSupply: null,
    price,
    marketCap: price * supply,
    fullyDilutedMarketCap: price * supply,
    volume24h: 0,
    change1h: changeSince(1),
    change24h: changeSince(24),
    change7d: changeSince(7 * 24),
    change30d: changeSince(30 * 24),
    since: null,
    at: new Date(at).toISOString(),
    description: 'A coin of a local network: it exists on this machine only and has no value.',
    homepage: null,
  };
}

/** Smooth noise between -1 and 1. */
function noise(seed: string, time: number): number {
  const whole = Math.floor(time);
  const part = time - whole;
  const [before, after] = [valueAt(seed, whole), valueAt(seed, whole + 1)];
  return before + (after - before) * part * part * (3 - 2 * part);
}

/** Of a whole number, between -1 and 1. */
function valueAt(seed: string, n: number): number {
  return sha256(`${seed}/${n}`).readUInt32BE(0) / 0x8000_0000 - 1;
}
