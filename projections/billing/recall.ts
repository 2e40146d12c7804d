/**
 * Remembers what a pure function made of a text, for the last some thousand texts: fees come in the order of their days,
 * and those of a day name the same few buckets.
 */
export function createRecall<Made>(most: number): (text: string, make: () => Made) => Made {
  let young = new Map<string, Made>();
  let old = new Map<string, Made>();
  return (text, make) => {
    let made = young.get(text);
    if (made !== undefined) return made;
    made = old.get(text) ?? make();
    if (young.size >= most) [old, young] = [young, new Map<string, Made>()];
    young.set(text, made);
    return made;
  };
}
