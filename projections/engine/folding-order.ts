import { sleep } from '../../contracts/retry/retry';
import type { RunnerState } from './runner-state';

/** What is asked for is folded first: while reads wait for a projection, others that are behind pause between batches. */
export interface FoldingOrder {
  /** A read waits for the projection. */
  want(projection: string): void;
  /** Nobody has to wait for it any more. */
  satisfy(projection: string): void;
  isWanted(projection: string): boolean;
  /** Resolves when a projection that is behind may fold its next batch, or at the signal. */
  turn(projection: string, signal: AbortSignal): Promise<void>;
}

/** So long after a read has asked for it, a projection goes first: clients ask again. */
const WANTED_MS = 5_000;
const POLL_MS = 20;

/**
 * @param stateOf the state of the runner in this program: nothing pauses for a projection that is stopped, or that another
 *   program folds
 */
export function createFoldingOrder(
  projections: readonly string[],
  stateOf: (projection: string) => RunnerState | undefined,
  others: {
    /** Tells other programs, of which one may fold it, that a projection is wanted. */
    ask(projection: string, forMs: number): void;
    /** Whether another program has asked for it. */
    isAskedFor(projection: string): boolean;
  },
): FoldingOrder {
  const wantedUntil = new Map<string, number>();
  const isWantedHere = (name: string): boolean => (wantedUntil.get(name) ?? 0) > performance.now();
  const isBehind = (state: RunnerState | undefined): boolean =>
    state === 'catching-up' || state === 'building';
  /** The others do not say when they have what they need, so that a live one is taken for caught up. */
  const goesFirst = (name: string): boolean => {
    const state = stateOf(name);
    return isBehind(state)
      ? isWantedHere(name) || others.isAskedFor(name)
      : state === 'live' && isWantedHere(name);
  };
  const isWanted = (name: string): boolean => isWantedHere(name) || others.isAskedFor(name);

  return {
    want(name) {
      wantedUntil.set(name, performance.now() + WANTED_MS);
      const state = stateOf(name);
      if (!isBehind(state) && state !== 'live') others.ask(name, WANTED_MS);
    },
    satisfy: name => void wantedUntil.delete(name),
    isWanted,
    async turn(name, signal) {
      while (!signal.aborted && !isWanted(name) && projections.some(goesFirst)) await sleep(POLL_MS, signal);
    },
  };
}
