/**
 * Tells sleepers, in this process and others, that it is worth to look again. Nothing of value travels here: a wake-up
 * may be lost or come twice, and whoever sleeps looks again at his time-out anyway.
 */
export interface WakeUps {
  /** Wakes all who sleep on one of the names. Neither waits nor throws. */
  announce(names: readonly string[]): void;
  /** Resolves at an announcement of one of the names made after this call, or at the time-out (milliseconds). */
  changed(names: readonly string[], timeout: number): Promise<void>;
  close(): Promise<void>;
}
