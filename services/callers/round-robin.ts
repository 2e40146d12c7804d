/**
 * The items as their sources are served in turn: the first of each source, then the second of each, and so on. What is cut off at
 * the end is what came last from those who have most.
 * @param items in the order in which they came
 */
export function roundRobin<Item>(items: readonly Item[], sourceOf: (item: Item) => string): readonly Item[] {
  const counts = new Map<string, number>();
  const ranked = items.map(item => {
    const source = sourceOf(item);
    const rank = counts.get(source) ?? 0;
    counts.set(source, rank + 1);
    return { item, rank };
  });
  // Stable: those of one rank stay in the order in which they came.
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
