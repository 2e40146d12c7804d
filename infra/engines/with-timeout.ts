/** What the work gives, or, when it takes longer than the time in milliseconds, what `late` gives or throws. */
export async function within<Result>(
  time: number,
  work: Promise<Result>,
  late: () => Result,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  work.catch(() => undefined);
  const over = new Promise<void>(resolve => (timer = setTimeout(resolve, time)));
  try {
    return await Promise.race([work, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
