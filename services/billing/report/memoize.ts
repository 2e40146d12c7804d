/** Loads each key once, also when it is loaded concurrently. For use within one command: nothing is evicted. */
export function memoize<Thing>(load: (key: string) => Promise<Thing>): (key: string) => Promise<Thing> {
  const loads = new Map<string, Promise<Thing>>();
  return key => {
    const thing = loads.get(key) ?? load(key);
    loads.set(key, thing);
    return thing;
  };
}
