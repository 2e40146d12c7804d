/** Each item as a function that gives it, and an error of the input as one that throws it: an error is in its place. */
async function* outcomes<T>(input: Iterable<T> | AsyncIterable<T>): AsyncGenerator<() => T> {
  try {
    for await (const item of input) yield () => item;
  } catch (error) {
    yield () => {
      throw error;
    };
  }
}

/**
 * Maps with up to `window` calls in flight, results in the order of the input. The input is drawn one by one.
 * An error, also of the input, comes after every result before it; calls still in flight end by themselves.
 */
export async function* inOrder<T, R>(
  input: Iterable<T> | AsyncIterable<T>,
  window: number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const inFlight: Promise<R>[] = [];
  for await (const outcome of outcomes(input)) {
    const result = (async () => map(outcome()))();
    result.catch(() => undefined); // seen when its turn comes, or not at all after an earlier error
    inFlight.push(result);
    if (inFlight.length >= window) yield await inFlight.shift()!;
  }
  while (inFlight.length > 0) yield await inFlight.shift()!;
}

const soon = (): Promise<false> => new Promise(resolve => setImmediate(resolve, false));

/**
 * What is ready at once goes together, up to a total weight: while one group is written the next one gathers.
 * An error comes after everything before it.
 */
export async function* grouped<T>(
  input: AsyncIterable<T>,
  most: number,
  weigh: (item: T) => number,
): AsyncGenerator<T[]> {
  const iterator = input[Symbol.asyncIterator]();
  const draw = () => {
    const next = iterator.next();
    return {
      next,
      ready: next.then(
        () => true,
        () => false,
      ),
    };
  };
  for (let ahead = draw(); ;) {
    const group: T[] = [];
    let weight = 0;
    do {
      const { done, value } = await ahead.next;
      if (done) break;
      group.push(value);
      weight += weigh(value);
      ahead = draw();
    } while (weight < most && (await Promise.race([ahead.ready, soon()])));
    if (group.length === 0) return;
    yield group;
  }
}
