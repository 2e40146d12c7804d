/** The result of the work; after the timeout, what `onTimeout` returns or throws. The work itself is not cancelled. */
export async function withTimeout<Result>(
  timeoutMs: number,
  work: Promise<Result>,
  onTimeout: () => Result,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  work.catch(() => undefined);
  const timeout = new Promise<void>(resolve => (timer = setTimeout(resolve, timeoutMs)));
  try {
    return await Promise.race([work, timeout.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
