/** When validators are elected, as configuration parameter 15 says it. In seconds. */
export const ROUND = {
  electedFor: 65_536,
  /** Elections start and end this long before the round of their validators. */
  startBefore: 32_768,
  endBefore: 8_192,
  /** Half a round, as on the main network: who validates in one round gets the stake back in time for the one after the next. */
  heldFor: 32_768,
} as const;

/** Where in its round a new network starts: elections are open. */
const FIRST_ROUND_AGE = 40_960;

/** What the validators of the network are at an instant. */
export interface ElectionPhase {
  /** Counted from the round in which the network started. */
  readonly round: number;
  /** `elected`: the validators of the next round are known. */
  readonly step: 'waiting' | 'open' | 'elected';
}

/** The rounds of a network, by the time of its zero state alone. */
export interface ElectionSchedule {
  /** Start of a round in Unix seconds, which is the id of its election. */
  startOf(round: number): number;
  phaseAt(utime: number): ElectionPhase;
}

/** @param zeroTime Unix seconds of the zero state */
export function electionSchedule(zeroTime: number): ElectionSchedule {
  const first = zeroTime - FIRST_ROUND_AGE;
  const startOf = (round: number): number => first + round * ROUND.electedFor;
  return {
    startOf,
    phaseAt(utime) {
      const round = Math.floor((utime - first) / ROUND.electedFor);
      const left = startOf(round + 1) - utime;
      if (left > ROUND.startBefore) return { round, step: 'waiting' };
      return { round, step: left > ROUND.endBefore ? 'open' : 'elected' };
    },
  };
}

/** The same text for the same phase only. */
export function phaseKey({ round, step }: ElectionPhase): string {
  return `${round}/${step}`;
}
