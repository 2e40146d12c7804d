import { randomUUID } from 'node:crypto';

/** The ids for what a call changes: deterministic where it has an idempotency key, so that a retry completes it. */
export interface Attempt {
  /** Null for a call without an idempotency key. */
  readonly commandId: string | null;
  /** The n-th id of the call. */
  readonly newId: () => string;
}

/** The ids of a call without an idempotency key. */
export function newAttempt(): Attempt {
  return { commandId: null, newId: randomUUID };
}
