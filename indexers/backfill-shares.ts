import { hasShareLeft } from '../contracts/bound';

/** How much of the past is read within a day (UTC), and for whom: a long history has millions of transactions. */
export interface BackfillShares {
  /** Whether more may be read for it today. @param source `CallerSource`; null for the program itself */
  hasLeft(source: string | null): boolean;
  add(source: string | null, transactions: number): void;
}

/** Restricts nothing. */
export const NO_SHARES: BackfillShares = { hasLeft: () => true, add: () => undefined };

const DAY_MS = 86_400_000;

/** @param max transactions within a day; of them a source has a quarter of what the others leave @param now milliseconds since the epoch */
export function createBackfillShares(max: number, now: () => number): BackfillShares {
  let day = -1;
  let all = 0;
  const read = new Map<string, number>();
  const begin = (): void => {
    const today = Math.floor(now() / DAY_MS);
    if (today === day) return;
    [day, all] = [today, 0];
    read.clear();
  };
  return {
    hasLeft(source) {
      begin();
      return source === null || hasShareLeft(max, all, read.get(source) ?? 0);
    },
    add(source, transactions) {
      begin();
      all += transactions;
      if (source !== null) read.set(source, (read.get(source) ?? 0) + transactions);
    },
  };
}
