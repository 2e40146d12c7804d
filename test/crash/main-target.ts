import type { TonClient4 } from '@ton/ton';
import type { Connection } from '@solana/web3.js';
import { randomFrom, SEED } from '../random';

/** The program as one of its lives offers it: after every kill there is another, at other ports. */
export interface Target {
  readonly url: string;
  /** Of an admin in a secure session. */
  readonly token: string;
  readonly ton: TonClient4;
  readonly tonFaucet: string;
  readonly solana: Connection;
  /** Fires before the program is killed: what fails afterwards was not acknowledged, what fails before is a fault. */
  readonly killed: AbortSignal;
  /** Rejects once it is dead: not every client notices that an answer will never come. */
  readonly dead: Promise<never>;
}

/** Takes steps until the program is killed. A step that fails before that fails the load. */
export async function keepUp({ killed }: Pick<Target, 'killed'>, step: () => Promise<void>): Promise<void> {
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
