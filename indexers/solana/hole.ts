/** A block that must be there and cannot be read: the frontier stays before it until it can. */
export class Hole extends Error {
  override readonly name = 'Hole';
  constructor(
    readonly slot: number,
    readonly reason: string,
  ) {
    super(`slot ${slot}: ${reason}`);
  }
}
