/**
 * Currencies that wallets and the partner spell differently, or that the partner spells in several ways. The first spelling is
 * the one that is sent. Every other ticker is the same on both sides.
 */
const SPELLINGS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  ton: ['ton', 'gram'],
  usdton: ['usdton'],
  sol: ['sol'],
  usdcsol: ['usdcsol'],
};

const OF_WALLETS = new Map(
  Object.entries(SPELLINGS).flatMap(([ticker, spellings]) => spellings.map(each => [each, ticker] as const)),
);

/** As the partner spells it. */
export function partnerTicker(ticker: string): string {
  return SPELLINGS[ticker]?.[0] ?? ticker;
}

/** As wallets spell it. */
export function walletTicker(ticker: string): string {
  const lower = ticker.toLowerCase();
  return OF_WALLETS.get(lower) ?? lower;
}
