/**
 * Of an `LRUCache`: at most so many entries, for which room is taken as they come. With its option `max` the room for all of
 * them is taken at the start: some 30 bytes for each.
 */
export function atMost(entries: number): { readonly maxSize: number; readonly sizeCalculation: () => 1 } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
