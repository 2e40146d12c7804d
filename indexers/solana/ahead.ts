/** Reads up to `width` items at a time and yields the results in the order of the items. */
export async function* ahead<T, R>(
  items: readonly T[],
  width: number,
  read: (item: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const flights: Promise<R>[] = [];
  let next = 0;
  const launch = (): void => {
    const flight = read(items[next++]!);
    flight.catch(() => {}); // reported when its turn comes, or never when the consumer has left
    flights.push(flight);
  };
  while (next < items.length && flights.length < width) launch();
  for (let flight = flights.shift(); flight; flight = flights.shift()) {
    const result = await flight;
    if (next < items.length) launch();
    yield result;
  }
}
