import type { Figure } from './figure';

/** At the smallest every row ends within seconds: it shows that the row runs, and its figures mean nothing. */
export type Size = 'full' | 'quick' | 'smallest';

/** How much to measure, and where: `folder` is empty, on the disk under test, and removed afterwards. */
export interface Setting {
  /** The amount for the size of this run. */
  readonly sized: <Amount>(amounts: Readonly<Record<Size, Amount>>) => Amount;
  readonly folder: string;
  /** Prints progress. */
  readonly say: (text: string) => void;
}

/** A row of the table, measured in a process of its own. */
export type Row = (setting: Setting) => Promise<readonly Figure[]>;
