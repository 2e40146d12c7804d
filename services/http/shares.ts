import { shareOf } from '../../contracts/bound';

/** Places of which each caller may have a share, so that none has all of them. */
export interface Shares {
  /**
   * Takes a place. Once none is left, the newest of the caller with the most is taken back for one with fewer.
   * @param takeBack called when that happens; the place has been given up by then
   * @returns what gives the place up, or why there is none: the caller has its share, or all are taken by others with no more
   */
  take(caller: string, takeBack: () => void): (() => void) | 'share' | 'total';
}

/**
 * @param total 0 is no limit
 * @param share places of one caller; 0 is no limit
 */
export function createShares(total: number, share = total === 0 ? 0 : shareOf(total)): Shares {
  /** By caller, the oldest first. */
  const callers = new Map<string, Set<() => void>>();
  let taken = 0;

  const heaviest = (): ReadonlySet<() => void> =>
    [...callers.values()].reduce((most, each) => (each.size > most.size ? each : most));

  return {
    take(caller, takeBack) {
      const own = callers.get(caller) ?? new Set();
      if (share > 0 && own.size >= share) return 'share';
      if (total > 0 && taken >= total) {
        const most = heaviest();
        if (most.size <= own.size + 1) return 'total';
        [...most].at(-1)!();
      }
      const giveUp = (): void => {
        if (!own.delete(lose)) return;
        taken -= 1;
        if (own.size === 0) callers.delete(caller);
      };
      const lose = (): void => {
        giveUp();
        takeBack();
      };
      callers.set(caller, own.add(lose));
      taken += 1;
      return giveUp;
    },
  };
}
