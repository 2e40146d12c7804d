/** The source serves another chain than the one indexed so far: only an operator can decide what to do. */
export class WrongNetwork extends Error {
  override readonly name = 'WrongNetwork';
}
