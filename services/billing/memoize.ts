/** Loads each thing once, also while the first load is in progress. For as long as one command lasts. */
export function memoize<Thing>(load: (key: string) => Promise<Thing>): (key: string) => Promise<Thing> {
  const loads = new Map<string, Promise<Thing>>();
  return key => {
    const thing = loads.get(key) ?? load(key);
    loads.set(key, thing);
    return thing;
  };
}
