/**
 * Measures contestants in turn, a round of each, in the opposite order every other round: what else the machine does
 * meanwhile hits all of them, and none always goes first.
 */
export async function interleave<Name extends string>(
  rounds: number,
  contestants: Readonly<Record<Name, (round: number) => number | Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contestants) as Name[];
  const measured = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) measured[name].push(await contestants[name](round));
  }
  return measured;
}

/** How many a second, when doing `count` of them takes as long as `work`. */
export async function rate(count: number, work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return (count / (performance.now() - began)) * 1_000;
}
