import type { Position } from '../../contracts/position';

/** What a verification comes to, as the exit code of the program. */
export const EXIT = {
  equal: 0,
  /** The events are not those that were signed. */
  broken: 2,
  /** A signature is not of a known key, or not of what it stands under. */
  unsigned: 3,
  /** The events are those that were signed, and give another answer. */
  differs: 4,
  /** The history ends before something that was signed. */
  missing: 5,
  /** What was given cannot be read. */
  unusable: 6,
} as const;

export type Outcome = keyof typeof EXIT;

/** Why a verification failed. Nothing that was signed is contradicted by events before the place. */
export class Failed extends Error {
  override readonly name = 'Failed';
  constructor(
    readonly outcome: Exclude<Outcome, 'equal'>,
    message: string,
    readonly place: Place = {},
  ) {
    super(message);
  }
}

/** Where a history first differs: one position, or somewhere in a stretch of them. */
export interface Place {
  readonly position?: Position;
  readonly between?: readonly [after: Position, upTo: Position];
  /** Of the file, from 1. */
  readonly line?: number;
}
