import type { Figure } from './figure';

/** How much to measure, and where: `folder` is empty, on the disk under test, and removed afterwards. */
export interface Setting {
  readonly quick: boolean;
  readonly folder: string;
  /** Prints progress. */
  readonly say: (text: string) => void;
}

/** A row of the table, measured in a process of its own. */
export type Row = (setting: Setting) => Promise<readonly Figure[]>;
