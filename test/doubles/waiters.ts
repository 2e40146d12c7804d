/** Waiters for any change of a double. */
export class Waiters {
  private readonly waiting = new Set<() => void>();

  wake(): void {
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves at the next change or at the signal. */
  async wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>(resolve => {
      const wake = (): void => {
        this.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}
