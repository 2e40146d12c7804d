import { LRUCache } from 'lru-cache';
import { EngineBusy } from '../../contracts/engine/engine-unavailable';
import { immutable } from '../../contracts/http/immutable-response';
import { JsonText } from '../../contracts/json/json-text';
import type { Source } from '../../contracts/ports/documents';
import { Problem } from '../../contracts/problem/problem';
import type { CachedQuery, Views } from '../views';

interface CachedAnswer {
  readonly value: unknown;
  /** Version of the sources, taken before the value was read. */
  readonly version: string;
  readonly size: number;
}

interface Computation {
  readonly version: string;
  readonly value: Promise<unknown>;
}

/** Maximum bytes of all answers with their serialised forms, and of one answer. */
export const MAX_CACHED_ANSWER_BYTES = 64 * 2 ** 20;
const MAX_ENTRY_BYTES = 4 * 2 ** 20;

/**
 * Caches the most recently used answers until their sources change. Who asks for one that is being computed waits for it: after
 * a change all callers ask at once. Where that one is refused it, the next one computes it.
 * @param versionOf the version tag of sources, which differs when they may have changed; null when unknown
 */
export function createQueryCache(
  versionOf: (sources: readonly Source[]) => Promise<string> | null,
): Views['cached'] {
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: MAX_CACHED_ANSWER_BYTES,
    maxEntrySize: MAX_ENTRY_BYTES,
    sizeCalculation: ({ size }, text) => size + text.length,
  });
  const computing = new Map<string, Computation>();

  return async <T>(
    { key: parts, sources }: CachedQuery,
    compute: () => Promise<T>,
    isCacheable: (value: T) => boolean = always,
  ): Promise<T> => {
    // Before the documents are read: a commit in between makes the answer look older than it is, never newer.
    const version = await versionOf(sources);
    if (version === null) return compute();
    const key = JSON.stringify(parts);
    const cached = answers.get(key);
    if (cached?.version === version) return cached.value as T;
    for (let running = computing.get(key); running?.version === version; running = computing.get(key))
      try {
        return (await running.value) as T;
      } catch (error) {
        // What is refused to one caller, who may only have left or have asked for too much, need not be refused to another.
        if (!(error instanceof Problem || error instanceof EngineBusy)) throw error;
      }
    const answer = async (): Promise<T> => {
      const value = await compute();
      if (isCacheable(value)) {
        answers.set(key, { value, version, size: freezeAndMeasure(value) });
        if (typeof value === 'object' && value !== null) immutable(value);
      }
      return value;
    };
    const computation = { version, value: answer() };
    computing.set(key, computation);
    try {
      return await computation.value;
    } finally {
      if (computing.get(key) === computation) computing.delete(key);
    }
  };
}

const always = (): boolean => true;

/** Approximate bytes of a string, an object, a member and a scalar, without their characters. */
const STRING_BYTES = 24;
const OBJECT_BYTES = 32;
const MEMBER_BYTES = 12;
const SCALAR_BYTES = 16;

/** Freezes a JSON value deeply. @returns the approximate bytes of the value and its JSON text */
function freezeAndMeasure(value: unknown): number {
  if (typeof value === 'string') return STRING_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return SCALAR_BYTES;
  if (value instanceof JsonText) return OBJECT_BYTES + 2 * value.size;
  let size = OBJECT_BYTES;
  if (Array.isArray(value)) for (const item of value) size += freezeAndMeasure(item);
  else
    for (const key in value)
      size += MEMBER_BYTES + key.length + freezeAndMeasure((value as Record<string, unknown>)[key]);
  Object.freeze(value);
  return size;
}
