import { shareOf } from '../../contracts/bound';

/** Places of which each caller may have a share, so that none has all of them. */
export interface Shares {
  /**
   * Takes a place. Once none is left, the newest of the caller with the most is taken back for one with fewer.
   * @param takeBack called when that happens; the place has been given up by then
   * @param weight as how many places it counts; default 1. A caller may take its first one, however much that weighs; so with all
   * @returns what gives the place up, or why there is none: the caller has its share, or all are taken by others with no more
   */
  take(caller: string, takeBack: () => void, weight?: number): (() => void) | 'share' | 'total';
}

interface Places {
  weight: number;
  /** The oldest first, each with its weight. */
  readonly taken: Map<() => void, number>;
}

/**
 * @param total 0 is no limit
 * @param share places of one caller; 0 is no limit
 */
export function createShares(total: number, share = total === 0 ? 0 : shareOf(total)): Shares {
  const callers = new Map<string, Places>();
  let taken = 0;

  const hasRoom = (limit: number, used: number, weight: number): boolean =>
    limit === 0 || used === 0 || used + weight <= limit;

  /** The places to take back for one more, the newest of who has the most each time; null when others have no more. */
  function losersFor(own: Places, weight: number): readonly (() => void)[] | null {
    const losers: (() => void)[] = [];
    if (hasRoom(total, taken, weight)) return losers;
    const left = new Map([...callers.values()].map(each => [each, each.weight]));
    const newestFirst = new Map<Places, [() => void, number][]>();
    for (let used = taken; !hasRoom(total, used, weight);) {
      const [most, itsWeight] = [...left].reduce((a, b) => (b[1] > a[1] ? b : a));
      if (itsWeight <= own.weight + weight) return null;
      const places = newestFirst.get(most) ?? [...most.taken].reverse();
      newestFirst.set(most, places);
      const [lose, lost] = places.shift()!;
      losers.push(lose);
      left.set(most, itsWeight - lost);
      used -= lost;
    }
    return losers;
  }

  return {
    take(caller, takeBack, weight = 1) {
      const own = callers.get(caller) ?? { weight: 0, taken: new Map() };
      if (!hasRoom(share, own.weight, weight)) return 'share';
      const losers = losersFor(own, weight);
      if (!losers) return 'total';
      for (const lose of losers) lose();
      const giveUp = (): void => {
        if (!own.taken.delete(lose)) return;
        own.weight -= weight;
        taken -= weight;
        if (own.taken.size === 0) callers.delete(caller);
      };
      const lose = (): void => {
        giveUp();
        takeBack();
      };
      own.taken.set(lose, weight);
      own.weight += weight;
      callers.set(caller, own);
      taken += weight;
      return giveUp;
    },
  };
}
