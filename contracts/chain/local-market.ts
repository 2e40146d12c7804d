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
  /** By network and raw address of the master. */
  readonly jettons: Readonly<Record<string, Readonly<Record<string, string>>>>;
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
