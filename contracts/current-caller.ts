import { AsyncLocalStorage } from 'node:async_hooks';

const callers = new AsyncLocalStorage<string | null>();

/** Runs work, and all that it begins, in the name of a caller. */
export function asCaller<Result>(caller: string, work: () => Result): Result {
  return callers.run(caller, work);
}

/** Runs work in nobody's name: several callers wait for it, of which one happens to be the first. */
export function asProcess<Result>(work: () => Result): Result {
  // Where nobody is named, no context is made.
  return currentCaller() === null ? work() : callers.run(null, work);
}

/** In whose name the work runs; null where it is that of the process itself. */
export function currentCaller(): string | null {
  return callers.getStore() ?? null;
}
