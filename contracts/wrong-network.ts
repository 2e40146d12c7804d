/** The source serves another chain than the one indexed so far. Not retried: an operator has to intervene. */
export class WrongNetwork extends Error {
  override readonly name = 'WrongNetwork';
}
