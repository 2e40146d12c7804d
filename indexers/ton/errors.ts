/** The tail stands before a block that it cannot get whole. It tries again, and never steps over. */
export class Hole extends Error {
  override readonly name = 'Hole';
  constructor(
    /** The masterchain block. */
    readonly seqno: number,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`block ${seqno}: ${reason}`, options);
  }
}

/** The source is not the chain that was indexed so far. Nothing good can come of going on. */
export class WrongChain extends Error {
  override readonly name = 'WrongChain';
}

/** What was thrown, for a message to people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
