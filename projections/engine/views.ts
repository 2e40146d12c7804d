import { BEGINNING } from '../../contracts/position';
import {
  UnknownCollection,
  type Document,
  type Documents,
  type Page,
  type Query,
  type Source,
} from '../../contracts/ports/documents';
import { isLogProjection, type Projection } from '../projection';
import type { Views } from '../views';
import { createAnswers } from './answers';
import type { EventsUpToHead } from './fill';
import { physical } from './generation';
import { lastSeen } from './lane';
import { PROJECTIONS } from './record';
import type { Records } from './records';
import type { Serving } from './serving';
import { visible } from './stored';

/** Milliseconds between two looks while waiting for a position that no commit need announce. */
const LOOK_EVERY = 20;

const NOTHING: Page<never> = { documents: [], next: null };

/**
 * Reads by the names of the projections' specs. A collection that its projection has not made yet is empty. A read that
 * meets a generation which has just been dropped is answered from the one that took its place.
 */
export function createViews(deps: {
  readonly projections: readonly Projection[];
  readonly documents: Documents;
  readonly store: EventsUpToHead;
  readonly records: Pick<Records, 'peek'>;
  readonly serving: Serving;
}): Views {
  const { documents, store, records, serving } = deps;
  const owners = new Map(
    deps.projections.flatMap(owner => owner.collections.map(({ name }) => [name, owner])),
  );

  const ownerOf = (collection: string): Projection => {
    const owner = owners.get(collection);
    if (!owner) throw new UnknownCollection(`${collection}: no projection has it`);
    return owner;
  };

  const read = async <T>(collection: string, empty: T, ask: (name: string) => Promise<T>): Promise<T> => {
    const { name } = ownerOf(collection);
    const generation = await serving.generation(name);
    if (!generation?.collections.includes(collection)) return empty;
    try {
      return await ask(physical(collection, generation.generation));
    } catch (error) {
      if (!(error instanceof UnknownCollection)) throw error;
      const live = await serving.renew(name);
      if (!live?.collections.includes(collection)) return empty;
      return ask(physical(collection, live.generation));
    }
  };

  const find = <D extends Document>(collection: string, query: Query): Promise<Page<D>> =>
    read<Page<D>>(collection, NOTHING, async name => {
      const page = await documents.find<D>(name, query);
      return { documents: page.documents.map(visible), next: page.next };
    });

  /** Listens from this very call on to the generation that is read and to the one that is about to be. */
  const changed = (collections: readonly string[], timeout: number): Promise<void> => {
    const names = new Set([PROJECTIONS.name]);
    for (const collection of collections) {
      const { name } = ownerOf(collection);
      for (const generation of [serving.peek(name), records.peek(name)])
        if (generation) names.add(physical(collection, generation.generation));
    }
    return documents.changed([...names], timeout);
  };

  /** Null where it cannot be told: of documents without versions, and before it is known which generation is read. */
  const versionOf = (sources: readonly Source[]): string | null => {
    if (!documents.version) return null;
    const served: Source[] = [];
    for (const source of sources) {
      const { name } = ownerOf(source.collection);
      const generation = serving.peek(name);
      if (!generation) {
        // For the next time. Who reads meets what is wrong with it.
        serving.generation(name).catch(() => undefined);
        return null;
      }
      served.push({ ...source, collection: physical(source.collection, generation.generation) });
    }
    return documents.version(served) + served.map(({ collection }) => collection).join();
  };

  return {
    answer: createAnswers(versionOf),

    get: <D extends Document>(collection: string, id: string) =>
      read<D | null>(collection, null, async name => {
        const found = await documents.get<D>(name, id);
        return found && visible(found);
      }),

    getMany: <D extends Document>(collection: string, ids: readonly string[]) =>
      read<Map<string, D>>(collection, new Map<string, D>(), async name => {
        const found = await documents.getMany<D>(name, ids);
        for (const [id, document] of found) found.set(id, visible(document));
        return found;
      }),

    find,

    async *scan<D extends Document>(collection: string, query: Query) {
      // The cursor stands behind what was skipped.
      const beyond: Query = { ...query, skip: 0 };
      let page = await find<D>(collection, query);
      for (;;) {
        if (page.documents.length > 0) yield page.documents;
        if (page.next === null) return;
        page = await find<D>(collection, { ...beyond, cursor: page.next });
      }
    },

    count: (collection, equals) => read(collection, 0, name => documents.count(name, equals)),

    async changed(collections, timeout) {
      const unknown = collections.filter(collection => !serving.peek(ownerOf(collection).name));
      for (const collection of unknown) await serving.generation(ownerOf(collection).name);
      await changed(collections, timeout);
    },

    async reached(collection, position, timeout) {
      const projection = ownerOf(collection);
      if (isLogProjection(projection)) return true;
      const isThere = () => covered(projection.name, projection.categories, position);
      const deadline = Date.now() + timeout;
      if (await isThere()) return true;
      for (;;) {
        const left = deadline - Date.now();
        // Armed before the look, so that a commit during it is not slept through.
        const mayBeThere = left > 0 ? changed([collection], Math.min(left, LOOK_EVERY)) : null;
        if (await isThere()) return true;
        if (!mayBeThere) return false;
        await mayBeThere;
      }
    },
  };

  /** Folded up to the position, or beyond its checkpoint there is nothing up to the position that would concern it. */
  async function covered(name: string, categories: readonly string[], position: number): Promise<boolean> {
    const generation = await serving.generation(name);
    const [checkpoint] = generation?.checkpoints ?? [];
    const seen = checkpoint === undefined ? BEGINNING : lastSeen(await documents.checkpoint(checkpoint));
    if (seen >= position) return true;
    // Asked before the look behind it: a position that does not exist yet may still turn out to concern it.
    if ((await store.head()) < position) return false;
    for await (const [next] of store.readAll({ after: seen, categories, limit: 1 }))
      return next === undefined || next.position > position;
    return true;
  }
}
