/** The source tells of another chain than the one that was followed so far. */
export class WrongNetwork extends Error {
  override readonly name = 'WrongNetwork';
}
