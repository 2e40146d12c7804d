/** Closes what was opened, in the reverse order of opening. */
export class CleanupStack {
  readonly #steps: (() => unknown)[] = [];

  defer(close: () => unknown): void {
    this.#steps.push(close);
  }

  /** Runs every step, also after one that failed. @throws AggregateError of what failed */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop())
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw new AggregateError(errors, 'could not be closed cleanly');
  }
}
