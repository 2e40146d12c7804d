/** A block that must be there and cannot be read in full: the tail stays before it and tries again. */
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
