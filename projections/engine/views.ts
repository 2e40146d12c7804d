import { BEGINNING, type Position } from '../../contracts/position';
import {
  partOf,
  type Document,
  type Documents,
  type Page,
  type Query,
  type Source,
} from '../../contracts/ports/documents';
import { isLogProjection, type Projection } from '../projection';
import type { Views } from '../views';
import { createQueryCache } from './query-cache';
import { createGenerationReads } from './generation-reads';
import { lastSeen } from './input-partition';
import type { PositionWaits } from './position-waits';
import type { ReadGenerations } from './read-generations';
import type { Readiness } from './readiness';
import { withoutEngineFields } from './stored-document';
import { subscribeTo } from './subscribe';

const EMPTY_PAGE: Page<never> = { documents: [], next: null };

/**
 * Reads by the names of the projections' specs. A collection that its projection has not created yet is empty, unless there
 * is something to fold into it. A read whose generation has just been dropped is repeated on the one that replaced it.
 */
export function createViews(deps: {
  readonly projections: readonly Projection[];
  readonly documents: Documents;
  readonly generations: ReadGenerations;
  readonly readiness: Pick<Readiness, 'admit'>;
  readonly waits: Pick<PositionWaits, 'waitFor'>;
}): Views {
  const { documents, generations, readiness, waits } = deps;
  const { ownerOf, physicalNames, read } = createGenerationReads(deps);

  const find = <D extends Document>(collection: string, query: Query): Promise<Page<D>> =>
    read<Page<D>>(collection, EMPTY_PAGE, async name => {
      const page = await documents.find<D>(name, query);
      return { documents: page.documents.map(withoutEngineFields), next: page.next };
    });

  /** Null when unknown: for documents without versions, and before the generation to read is known. */
  const versionOf = (sources: readonly Source[]): Promise<string> | null => {
    const physical = documents.version && physicalNames(sources);
    if (!physical) return null;
    const names = physical.map(({ collection }) => collection).join();
    return documents.version!(physical).then(version => version + names);
  };

  const subscribe: Views['subscribe'] = (collection, onChange) =>
    subscribeTo(documents, generations, ownerOf(collection).name, collection, onChange);

  const expectReadable = async (collections: readonly string[]): Promise<void> => {
    for (const owner of new Set(collections.map(ownerOf))) {
      const waiting = readiness.admit(owner);
      if (waiting) await waiting;
    }
  };

  const cachedQuery = createQueryCache(versionOf);

  return {
    async cached(query, compute, isCacheable) {
      await expectReadable(query.sources.map(({ collection }) => collection));
      return cachedQuery(query, compute, isCacheable);
    },

    expectReadable,

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
    sum: (collection, field, equals) => read(collection, 0, name => documents.sum(name, field, equals)),

    async waitForChange(sources, timeout, signal) {
      const unknown = sources.filter(({ collection }) => !generations.peek(ownerOf(collection).name));
      for (const { collection } of unknown) await generations.get(ownerOf(collection).name);
      await untilChange(sources, subscribe, timeout, signal);
    },

    subscribe,

    async waitForPosition(collection, position, timeoutMs, signal) {
      const projection = ownerOf(collection);
      return isLogProjection(projection) || waits.waitFor(projection, position, timeoutMs, signal);
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
}

/** Resolves when one of the sources has changed, after the timeout in milliseconds, or at the signal. */
function untilChange(
  sources: readonly Source[],
  subscribe: Views['subscribe'],
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise(resolve => {
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
}
