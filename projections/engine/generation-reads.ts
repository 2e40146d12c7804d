import { UnknownCollection, type Source } from '../../contracts/ports/documents';
import type { Projection } from '../projection';
import { physicalName } from './generation';
import type { ReadGenerations } from './read-generations';
import type { Readiness } from './readiness';

/** Reads of the collections of projections, by the names of their specs. */
export interface GenerationReads {
  /** @throws UnknownCollection when it belongs to no projection */
  ownerOf(collection: string): Projection;
  /** What sources are called in the generations that are read; null before these are known. */
  physicalNames(sources: readonly Source[]): readonly Source[] | null;
  /**
   * Reads a collection in the generation that is read.
   * @param empty the result while the projection has not created the collection
   */
  read<T>(collection: string, empty: T, query: (name: string) => Promise<T>): Promise<T>;
}

export function createGenerationReads(deps: {
  readonly projections: readonly Projection[];
  readonly generations: ReadGenerations;
  readonly readiness: Pick<Readiness, 'admit'>;
}): GenerationReads {
  const { generations, readiness } = deps;
  const owners = new Map(
    deps.projections.flatMap(owner => owner.collections.map(({ name }) => [name, owner])),
  );

  function ownerOf(collection: string): Projection {
    const owner = owners.get(collection);
    if (!owner) throw new UnknownCollection(`${collection} belongs to no projection`);
    return owner;
  }

  return {
    ownerOf,

    physicalNames(sources) {
      const physical: Source[] = [];
      for (const source of sources) {
        const { name } = ownerOf(source.collection);
        const generation = generations.peek(name);
        if (!generation) {
          // Loaded for the next call; an error is thrown by the read itself.
          generations.get(name).catch(() => undefined);
          return null;
        }
        physical.push({ ...source, collection: physicalName(source.collection, generation.generation) });
      }
      return physical;
    },

    async read(collection, empty, query) {
      const owner = ownerOf(collection);
      const { name } = owner;
      const waiting = readiness.admit(owner);
      if (waiting) await waiting;
      const generation = await generations.get(name);
      if (!generation?.collections.includes(collection)) return empty;
      try {
        return await query(physicalName(collection, generation.generation));
      } catch (error) {
        if (!(error instanceof UnknownCollection)) throw error;
        const live = await generations.refresh(name);
        if (!live?.collections.includes(collection)) return empty;
        return query(physicalName(collection, live.generation));
      }
    },
  };
}
