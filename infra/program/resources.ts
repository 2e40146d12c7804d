import type { CleanupStack } from './cleanup-stack';
import type { ProgramDeps, Resource } from './feature';

/** Opens each resource at its first use and closes it with the program. A failed opening is tried again at the next use. */
export function resourcesOf(deps: ProgramDeps, cleanup: CleanupStack): ProgramDeps['use'] {
  const opened = new Map<object, Promise<unknown>>();
  return async function use<T>(resource: Resource<T>): Promise<T> {
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
