/** What changed under a name; null when it is not known, so that anything may have changed. */
export type ChangedParts = ReadonlySet<string> | null;

/**
 * Signals between processes that something changed. Only a hint: a notification may be lost or arrive twice, and a
 * waiter reads again at its time-out anyway.
 */
export interface WakeUps {
  /**
   * Wakes all waiters for one of the names, and calls its subscribers. Neither waits nor throws.
   * @param parts what changed under the names, for subscribers; null when unknown
   */
  notify(names: readonly string[], parts?: ChangedParts): void;
  /** Resolves at the next notification of one of the names, or after the time-out. */
  wait(names: readonly string[], timeoutMs: number): Promise<void>;
  /**
   * Calls back at every notification of the name with what changed; with null when that is not known, and whenever
   * notifications may have been lost. `onChange` must not throw.
   * @returns a function that ends the subscription
   */
  subscribe(name: string, onChange: (parts: ChangedParts) => void): () => void;
  /** Wakes all waiters. */
  close(): Promise<void>;
}
