import { shareOf } from '../../contracts/bound';
import { ByWeight } from './by-weight';

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

interface Place {
  readonly weight: number;
  readonly lose: () => void;
  isTaken: boolean;
}

/** The places of a caller. */
class Places {
  weight = 0;
  /** The oldest first. Those that were given up are taken out together: one by one each would be searched for among all. */
  #taken: Place[] = [];
  #left = 0;

  add(place: Place): void {
    this.#taken.push(place);
    this.weight += place.weight;
  }

  remove(place: Place): void {
    place.isTaken = false;
    this.weight -= place.weight;
    this.#left += 1;
    if (2 * this.#left <= this.#taken.length) return;
    this.#taken = this.#taken.filter(({ isTaken }) => isTaken);
    this.#left = 0;
  }

  *newestFirst(): Generator<Place, undefined> {
    for (let at = this.#taken.length - 1; at >= 0; at -= 1)
      if (this.#taken[at]!.isTaken) yield this.#taken[at]!;
  }
}

/**
 * @param total 0 is no limit
 * @param share places of one caller; 0 is no limit
 */
export function createShares(total: number, share = total === 0 ? 0 : shareOf(total)): Shares {
  const callers = new Map<string, Places>();
  const byWeight = new ByWeight<Places>();
  let taken = 0;

  const hasRoom = (limit: number, used: number, weight: number): boolean =>
    limit === 0 || used === 0 || used + weight <= limit;

  /** The places to take back for one more, the newest of who has the most each time; null when others have no more. */
  function losersFor(own: Places, weight: number): readonly Place[] | null {
    const losers: Place[] = [];
    if (hasRoom(total, taken, weight)) return losers;
    const others = byWeight.heaviestFirst();
    let next = others.next().value;
    /** Who loses some, with what is left to them. */
    const losing: { weight: number; readonly places: Iterator<Place, undefined> }[] = [];
    for (let used = taken; !hasRoom(total, used, weight);) {
      let [most] = losing.toSorted((a, b) => b.weight - a.weight);
      if (next && next.weight > (most?.weight ?? 0)) {
        most = { weight: next.weight, places: next.thing.newestFirst() };
        losing.push(most);
        next = others.next().value;
      }
      if (!most || most.weight <= own.weight + weight) return null;
      const place = most.places.next().value!;
      losers.push(place);
      most.weight -= place.weight;
      used -= place.weight;
    }
    return losers;
  }

  function count(caller: string, own: Places, change: () => void): void {
    const before = own.weight;
    change();
    byWeight.change(own, before, own.weight);
    taken += own.weight - before;
    if (own.weight === 0) callers.delete(caller);
    else callers.set(caller, own);
  }

  return {
    take(caller, takeBack, weight = 1) {
      const own = callers.get(caller) ?? new Places();
      if (!hasRoom(share, own.weight, weight)) return 'share';
      const losers = losersFor(own, weight);
      if (!losers) return 'total';
      for (const { lose } of losers) lose();
      const giveUp = (): void => {
        if (place.isTaken) count(caller, own, () => own.remove(place));
      };
      const lose = (): void => {
        giveUp();
        takeBack();
      };
      const place: Place = { weight, lose, isTaken: true };
      count(caller, own, () => own.add(place));
      return giveUp;
    },
  };
}
