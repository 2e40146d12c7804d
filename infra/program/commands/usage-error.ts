/** Arguments that a command cannot accept: nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
