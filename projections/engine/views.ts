import { BEGINNING, type Position } from '../../contracts/position';
import type { ChangedParts } from '../../contracts/ports/wake-ups';
import {
  partOf,
  UnknownCollection,
  type Document,
  type Documents,
  type Page,
  type Query,
  type Source,
} from '../../contracts/ports/documents';
import { isLogProjection, type Projection } from '../projection';
import type { Views } from '../views';
import { createQueryCache } from './query-cache';
import type { EventsUpToHead } from './catch-up';
import { physicalName } from './generation';
import { lastSeen } from './input-partition';
import { nextEventPosition } from './next-event';
import { PROJECTIONS } from './projection-record';
import type { RecordCache } from './record-cache';
import type { ReadGenerations } from './read-generations';
import { withoutEngineFields } from './stored-document';

/** While waiting for a position: a checkpoint may reach it without a change notification. */
const POLL_MS = 20;

const EMPTY_PAGE: Page<never> = { documents: [], next: null };

/**
 * Reads by the names of the projections' specs. A collection that its projection has not created yet is empty. A read
 * whose generation has just been dropped is repeated on the one that replaced it.
 */
export function createViews(deps: {
  readonly projections: readonly Projection[];
  readonly documents: Documents;
  readonly store: EventsUpToHead;
  readonly records: Pick<RecordCache, 'peek'>;
  readonly generations: ReadGenerations;
}): Views {
  const { documents, store, records, generations } = deps;
  const owners = new Map(
    deps.projections.flatMap(owner => owner.collections.map(({ name }) => [name, owner])),
  );

  const ownerOf = (collection: string): Projection => {
    const owner = owners.get(collection);
    if (!owner) throw new UnknownCollection(`${collection} belongs to no projection`);
    return owner;
  };

  const read = async <T>(collection: string, empty: T, query: (name: string) => Promise<T>): Promise<T> => {
    const { name } = ownerOf(collection);
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
  };

  const find = <D extends Document>(collection: string, query: Query): Promise<Page<D>> =>
    read<Page<D>>(collection, EMPTY_PAGE, async name => {
      const page = await documents.find<D>(name, query);
      return { documents: page.documents.map(withoutEngineFields), next: page.next };
    });

  /** Subscribes synchronously, to the generation that is read and to the one that will be. */
  const changed = (collections: readonly string[], timeout: number): Promise<void> => {
    const names = new Set([PROJECTIONS.name]);
    for (const collection of collections) {
      const { name } = ownerOf(collection);
      for (const generation of [generations.peek(name), records.peek(name)])
        if (generation) names.add(physicalName(collection, generation.generation));
    }
    return documents.waitForChange([...names], timeout);
  };

  /** Null when unknown: for documents without versions, and before the generation to read is known. */
  const versionOf = (sources: readonly Source[]): string | null => {
    if (!documents.version) return null;
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
    return documents.version(physical) + physical.map(({ collection }) => collection).join();
  };

  const subscribe = (collection: string, onChange: (parts: ChangedParts) => void): (() => void) => {
    const { name } = ownerOf(collection);
    let unsubscribe = (): void => undefined;
    const follow = (): void => {
      unsubscribe();
      const generation = generations.peek(name);
      if (generation)
        unsubscribe = documents.subscribe(physicalName(collection, generation.generation), onChange);
    };
    follow();
    // Of what changed in the new generation before the switch nobody was notified.
    const stop = generations.onSwitch(name, () => {
      follow();
      onChange(null);
    });
    // Loads the generation; an error is thrown by the reads themselves.
    generations.get(name).catch(() => undefined);
    return () => {
      stop();
      unsubscribe();
    };
  };

  return {
    cached: createQueryCache(versionOf),

    get: <D extends Document>(collection: string, id: string) =>
      read<D | null>(collection, null, async name => {
        const found = await documents.get<D>(name, id);
        return found && withoutEngineFields(found);
      }),

    getMany: <D extends Document>(collection: string, ids: readonly string[]) =>
      read<Map<string, D>>(collection, new Map<string, D>(), async name => {
        const found = await documents.getMany<D>(name, ids);
        for (const [id, document] of found) found.set(id, withoutEngineFields(document));
        return found;
      }),

    find,

    async *scan<D extends Document>(collection: string, query: Query) {
      // The cursor is already after the skipped documents.
      const rest: Query = { ...query, skip: 0 };
      let page = await find<D>(collection, query);
      for (;;) {
        if (page.documents.length > 0) yield page.documents;
        if (page.next === null) return;
        page = await find<D>(collection, { ...rest, cursor: page.next });
      }
    },

    count: (collection, equals) => read(collection, 0, name => documents.count(name, equals)),

    async waitForChange(sources, timeout, signal) {
      const unknown = sources.filter(({ collection }) => !generations.peek(ownerOf(collection).name));
      for (const { collection } of unknown) await generations.get(ownerOf(collection).name);
      await new Promise<void>(resolve => {
        const end = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          for (const unsubscribe of subscriptions) unsubscribe();
          resolve();
        };
        const timer = setTimeout(end, timeout);
        const subscriptions = sources.map(({ collection, part }) =>
          subscribe(collection, parts => {
            if (!parts || part === undefined || parts.has(partOf(part))) end();
          }),
        );
        signal?.addEventListener('abort', end);
        if (signal?.aborted) end();
      });
    },

    subscribe,

    async waitForPosition(collection, position, timeout) {
      const projection = ownerOf(collection);
      if (isLogProjection(projection)) return true;
      const isReached = () => covered(projection.name, projection.categories, position);
      const deadline = Date.now() + timeout;
      if (await isReached()) return true;
      for (;;) {
        const left = deadline - Date.now();
        // Subscribed before the check, so that a commit during it is not missed.
        const change = left > 0 ? changed([collection], Math.min(left, POLL_MS)) : null;
        if (await isReached()) return true;
        if (!change) return false;
        await change;
      }
    },

    async foldedUpTo(collections) {
      const names = new Set(collections.map(each => ownerOf(each).name));
      return Math.min(...(await Promise.all([...names].map(seenBy))));
    },

    async isOutdated(collections) {
      for (const { name, version } of new Set(collections.map(ownerOf))) {
        const generation = await generations.get(name);
        if (generation && generation.version !== version) return true;
      }
      return false;
    },
  };

  async function seenBy(name: string): Promise<Position> {
    const generation = await generations.get(name);
    const [checkpoint] = generation?.checkpoints ?? [];
    return checkpoint === undefined ? BEGINNING : lastSeen(await documents.checkpoint(checkpoint));
  }

  /** Whether all events of the categories up to the position are folded. */
  async function covered(name: string, categories: readonly string[], position: number): Promise<boolean> {
    const seen = await seenBy(name);
    if (seen >= position) return true;
    // An event of the categories may still be appended at a position beyond the head.
    if ((await store.head()) < position) return false;
    const next = await nextEventPosition(store, seen, categories);
    return next === null || next > position;
  }
}
