/** A block that must exist but cannot be read in full: the tail does not advance past it, and retries. */
export class Gap extends Error {
  override readonly name = 'Gap';
  constructor(
    /** Masterchain seqno or slot. */
    readonly height: number,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`block ${height}: ${reason}`, options);
  }
}
