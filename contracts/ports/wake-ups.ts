/**
 * Signals between processes that something changed. Only a hint: a notification may be lost or arrive twice, and a
 * waiter reads again at its time-out anyway.
 */
export interface WakeUps {
  /** Wakes all waiters for one of the names. Neither waits nor throws. */
  notify(names: readonly string[]): void;
  /** Resolves at the next notification of one of the names, or after the time-out. */
  wait(names: readonly string[], timeoutMs: number): Promise<void>;
  /** Wakes all waiters. */
  close(): Promise<void>;
}
