import type { TonClient4 } from '@ton/ton';
import type { Connection } from '@solana/web3.js';
import { randomFrom, SEED } from '../random';

/** One run of the program: after every kill there is another, at other ports. */
export interface Target {
  readonly url: string;
  /** Of an admin in a secure session. */
  readonly token: string;
  readonly ton: TonClient4;
  readonly tonFaucet: string;
  readonly solana: Connection;
  /** Aborted before the program is killed: a later failure is expected, an earlier one fails the test. */
  readonly killed: AbortSignal;
  /** Rejects once the program has exited: not every client notices that. */
  readonly exited: Promise<never>;
}

/** Repeats the step until the program is killed. A failure before that is rethrown. */
export async function repeatUntilKilled(
  { killed }: Pick<Target, 'killed'>,
  step: () => Promise<void>,
): Promise<void> {
  while (!killed.aborted) {
    try {
      await step();
    } catch (error) {
      if (!killed.aborted) throw error;
    }
  }
}

const random = randomFrom(SEED);

export function chance(probability: number): boolean {
  return random() < probability;
}

export function oneOf<T>(choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)]!;
}

export function between(min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}
