/**
 * Measures candidates in alternating rounds, with the order reversed every other round, so that load of the machine
 * affects all of them equally.
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

/** Operations per second, when `work` does `count` of them. */
export async function rate(count: number, work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return (count / (performance.now() - began)) * 1_000;
}
