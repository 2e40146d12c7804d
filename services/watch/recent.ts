/** A set that keeps the keys asked for last, and forgets the others. */
export interface Recent {
  has(key: string): boolean;
  add(key: string): void;
}

export function createRecent(capacity: number): Recent {
  // A Map iterates in the order of insertion, so the first key is the one not asked for the longest.
  const keys = new Map<string, true>();
  const add = (key: string): void => {
    keys.delete(key);
    keys.set(key, true);
    if (keys.size > capacity) keys.delete(keys.keys().next().value!);
  };
  return {
    add,
    has(key) {
      if (!keys.has(key)) return false;
      add(key);
      return true;
    },
  };
}
