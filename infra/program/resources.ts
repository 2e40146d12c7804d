import type { CleanupStack } from './cleanup-stack';
import type { ProgramDeps, Resource } from './feature';

type Use = <T>(resource: Resource<T>, deps: ProgramDeps) => Promise<T>;

/** Opens each resource at its first use and closes it with the stack. A failed opening is tried again at the next use. */
export function resourcesIn(cleanup: CleanupStack): Use {
  const opened = new Map<object, Promise<unknown>>();
  return async function use<T>(resource: Resource<T>, deps: ProgramDeps): Promise<T> {
    const existing = opened.get(resource);
    if (existing) return existing as Promise<T>;
    const opening = resource.open(deps).then(value => {
      cleanup.defer(() => resource.close?.(value));
      return value;
    });
    opened.set(resource, opening);
    opening.catch(() => opened.delete(resource));
    return opening;
  };
}
