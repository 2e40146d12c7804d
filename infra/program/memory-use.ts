import { KIBIBYTE } from '../config/bytes';

interface Described {
  readonly of: string;
  /** How it was measured: docs/bounds.md shows it. */
  readonly measured?: string;
}

/** As many as a setting allows, or as the code does; each takes as much. */
interface Many extends Described {
  readonly max: number | { readonly setting: string };
  readonly bytesEach: number;
  /** What each takes beside its connection, which has a share of its own. */
  readonly besideConnection?: boolean;
}

interface InAll extends Described {
  /** How it is bounded, as the page shows it. */
  readonly bound: string;
  readonly bytes: number;
}

/** Memory that callers can have a process take. */
export type MemoryUse = Many | InAll;

/** A call that waits, beside its connection. */
export const WAIT_BYTES = 10 * KIBIBYTE;
