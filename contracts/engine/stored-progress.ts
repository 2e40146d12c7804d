/** How far a reader of the event store or the log has got, as it is stored in the documents. */
export interface StoredProgress {
  /** In words, such as `the projection fees`. */
  readonly reader: string;
  /** Null: the events. */
  readonly partition: { readonly topic: string; readonly partition: number } | null;
  /** The last position or offset that was read; -1 before the first. */
  readonly seen: number;
}
