import type { PriceStep } from './prices';

/** Where the local market is read from. The name resolves nowhere (RFC 6761): the local network of TON serves it. */
export const LOCAL_MARKET_ORIGIN = 'https://market.local.invalid';

/** The places of the local market, which differ a little, as those of the real ones do. */
export const LOCAL_VENUES = ['local-a', 'local-b', 'local-c'] as const;
export type LocalVenue = (typeof LOCAL_VENUES)[number];

/** What a place of the local market answers, under `/{venue}.json`. It is a double: nobody trades there. */
export interface LocalQuotes {
  readonly venue: LocalVenue;
  readonly isDouble: true;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Dollars, decimal. */
  readonly coins: Readonly<Record<string, string>>;
}

/** What a coin was at the end of each step, under `/{venue}/{step}/{from}/{until}/{coin}.json`: steps since the epoch. */
export interface LocalCloses {
  readonly venue: LocalVenue;
  readonly isDouble: true;
  readonly coin: string;
  readonly step: PriceStep;
  readonly from: number;
  /** Dollars, decimal: one for each step. */
  readonly closes: readonly string[];
}

/** So many steps are answered at most. */
export const MAX_LOCAL_CLOSES = 1_000;

/** The contract (raw) of the exchange of the local networks of TON, which has the addresses of its pools. */
export const LOCAL_DEX_FACTORY = '0:4038a76b4b23d29cfaa5bdbaf16b7752481d0b559c5cbff947eea9652e47b661';

/** The master (raw) of the jetton that counts as a dollar, on the local network that stands for the main one. */
export const LOCAL_DOLLAR = '0:59eb912f3ef5f31bfb27737e911fd56b2ffbd6034aa5e44a019088aed2e6abf9';
export const LOCAL_DOLLAR_DECIMALS = 6;
