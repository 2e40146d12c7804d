/** Each item as a function that returns it; an error of the input becomes a function that throws it, in its place. */
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
 * Maps with up to `concurrency` calls in flight, results in the order of the input. The input is read one by one.
 * An error, also of the input, is thrown after every result before it; calls still in flight are not awaited.
 */
export async function* concurrentMap<T, R>(
  input: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const inFlight: Promise<R>[] = [];
  for await (const outcome of outcomes(input)) {
    const result = (async () => map(outcome()))();
    result.catch(() => undefined); // thrown when its turn comes, or not at all after an earlier error
    inFlight.push(result);
    if (inFlight.length >= concurrency) yield await inFlight.shift()!;
  }
  while (inFlight.length > 0) yield await inFlight.shift()!;
}

const nextTick = (): Promise<false> => new Promise(resolve => setImmediate(resolve, false));

/**
 * Batches the items that are ready, up to a total weight: while one batch is being written, the next one fills.
 * An error is thrown after everything before it.
 */
export async function* batches<T>(
  input: AsyncIterable<T>,
  maxWeight: number,
  weightOf: (item: T) => number,
): AsyncGenerator<T[]> {
  const iterator = input[Symbol.asyncIterator]();
  const read = () => {
    const next = iterator.next();
    return {
      next,
      ready: next.then(
        () => true,
        () => false,
      ),
    };
  };
  for (let pending = read(); ;) {
    const batch: T[] = [];
    let weight = 0;
    do {
      const { done, value } = await pending.next;
      if (done) break;
      batch.push(value);
      weight += weightOf(value);
      pending = read();
    } while (weight < maxWeight && (await Promise.race([pending.ready, nextTick()])));
    if (batch.length === 0) return;
    yield batch;
  }
}
