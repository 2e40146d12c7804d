import { Mutex } from 'async-mutex';
import type { Chain } from './chain/chain';
import { type ElectionSchedule, ROUND } from './elections/schedule';
import { RECOVERY_DELAY } from './staking/next-step';

/** Rounds on the way in which contracts do what is due, the last ones: each takes about a second. */
const MAX_ROUNDS = 16;
/** Of one stop: accounts that send something all the time do not hold the clock. */
const MAX_BLOCKS = 20;

/**
 * Moves the clock of a chain on permanently, as `advanceTime` does, but stops on the way wherever the elector or a pool has something
 * to do: one that is jumped over takes part in no election on the way, and in none at all if the jump is repeated.
 * @param poolsControlled resolves once what is due for the pools is done
 * @returns a function of seconds that resolves with the utime of the first block after them
 */
export function passTimeOf(
  chain: Chain,
  poolsControlled: () => Promise<void>,
): (seconds: number) => Promise<number> {
  /** Two at once would each move the clock by what is left of both. */
  const mutex = new Mutex();

  async function settle(): Promise<void> {
    for (let blocks = 0; blocks < MAX_BLOCKS; blocks++) {
      const seqno = await chain.simulation.produceBlock();
      await poolsControlled();
      if (chain.tip().seqno === seqno && chain.ledger.transactionsOf(seqno).length === 0) return;
    }
  }

  return seconds =>
    mutex.runExclusive(async () => {
      const from = chain.tip().utime;
      const left = (to: number): number => Math.max(0, to - chain.tip().utime);
      for (const stop of stopsBetween(chain.elections, from, from + seconds)) {
        await chain.advanceTime(left(stop));
        await settle();
      }
      return chain.advanceTime(left(from + seconds));
    });
}

/**
 * When validators change, when an election is open and the stakes of the round before may be recovered, and when it closes. Unix
 * seconds, in order.
 */
function stopsBetween(elections: ElectionSchedule, from: number, to: number): number[] {
  const last = elections.phaseAt(to).round;
  const first = Math.max(elections.phaseAt(from).round, last - MAX_ROUNDS);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .flatMap(round => {
      const end = elections.startOf(round + 1);
      return [elections.startOf(round), end - ROUND.startBefore + RECOVERY_DELAY, end - ROUND.endBefore];
    })
    .filter(stop => stop > from && stop < to);
}
