import { LRUCache } from 'lru-cache';

/** A set that keeps the keys asked for last, and forgets the others. */
export interface Recent {
  has(key: string): boolean;
  add(key: string): void;
}

export function createRecent(capacity: number): Recent {
  const keys = new LRUCache<string, true>({ max: capacity });
  return {
    add: key => void keys.set(key, true),
    has: key => keys.get(key) === true,
  };
}
