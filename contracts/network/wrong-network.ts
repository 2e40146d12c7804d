/** A source serves another network than it is configured for: nothing that it answers may be used. Worth a retry. */
export class WrongNetwork extends Error {
  override readonly name = 'WrongNetwork';
}
