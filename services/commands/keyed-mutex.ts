import { createFairSemaphore, type FairSemaphore } from '../../contracts/fair-semaphore';

/**
 * Runs the work of one key one after the other, in this process, and that of different keys at the same time. Callers take turns
 * at a key.
 * @throws TooManyWaiting when too much waits for the key, of which the caller has most
 */
export type KeyedMutex = <Result>(
  key: string,
  caller: string,
  work: () => Promise<Result>,
) => Promise<Result>;

/** @param maxWaiting for one key */
export function createKeyedMutex(maxWaiting: number): KeyedMutex {
  const mutexes = new Map<string, FairSemaphore>();
  return async (key, caller, work) => {
    const mutex = mutexes.get(key) ?? createFairSemaphore({ maxConcurrent: 1, maxWaiting });
    mutexes.set(key, mutex);
    try {
      return await mutex.run({ caller }, work);
    } finally {
      if (mutex.isIdle && mutexes.get(key) === mutex) mutexes.delete(key);
    }
  };
}
