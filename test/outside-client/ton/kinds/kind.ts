import type { Scenario } from '../scenario';

/** A kind of transaction that an outside client makes, any number of times. */
export interface Kind {
  readonly name: string;
  run(scenario: Scenario, random: () => number): Promise<unknown>;
}
