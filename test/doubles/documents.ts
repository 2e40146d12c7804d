import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type Checkpoint,
  CheckpointMoved,
  type CollectionSpec,
  type Commit,
  type Counted,
  type DeclareOptions,
  type Document,
  type Documents,
  DuplicateKey,
  type IndexSpec,
  type Page,
  type Query,
  type Scalar,
  UnknownCollection,
  type Write,
} from '../../contracts/ports/documents';
import type { ChangedParts } from '../../contracts/ports/wake-ups';
import { changedParts } from '../../infra/engines/documents/changed-parts';
import {
  countedBy,
  fieldsOf,
  normalized,
  sameCounted,
  sameIndex,
  validateSpec,
} from '../../infra/engines/documents/collection-spec';
import { frozen } from '../../infra/engines/documents/frozen';
import type { FieldCondition, IndexRange } from '../../infra/engines/documents/index-ranges';
import { paginate, scanPages } from '../../infra/engines/documents/pagination';
import type { OrderTerm } from '../../infra/engines/documents/query-plan';
import { compareScalars, fieldOf } from '../../infra/engines/documents/scalars';
import { validateWrites } from '../../infra/engines/documents/validate-writes';
import { createLocalWakeUps } from '../../infra/engines/wake-ups/local';

interface Collection {
  fields: readonly string[];
  indexes: readonly IndexSpec[];
  counts: readonly Counted[];
  readonly bodies: Map<string, string>;
}

/** What several clients share. */
export class StoredDocuments {
  readonly collections = new Map<string, Collection>();
  readonly checkpoints = new Map<string, string>();
  readonly wakeUps = createLocalWakeUps();
}

/** Documents in memory. */
export class InMemoryDocuments implements Documents {
  private readonly closing = `closing ${randomUUID()}`;

  constructor(private readonly stored = new StoredDocuments()) {}

  async declare(
    specs: readonly CollectionSpec[],
    { deferIndexes = false }: DeclareOptions = {},
  ): Promise<void> {
    specs.forEach(validateSpec);
    for (const spec of specs) {
      const { name, indexes, counts = [] } = spec;
      const known = this.stored.collections.get(name);
      const collection = known ?? { fields: [], indexes: [], counts: [], bodies: new Map<string, string>() };
      const fields = [...new Set([...collection.fields, ...fieldsOf(spec)])];
      const documents = Array.from(collection.bodies.values(), body => JSON.parse(body) as Document);
      for (const document of documents) for (const field of fields) fieldOf(document, field);
      if (!deferIndexes) {
        const newIndexes = indexes.filter(
          index => !collection.indexes.some(built => sameIndex(built, index)),
        );
        for (const index of newIndexes) checkUnique(name, index, documents);
        collection.indexes = [...collection.indexes, ...newIndexes];
        const newCounts = counts
          .map(normalized)
          .filter(each => !collection.counts.some(built => sameCounted(built, each)));
        collection.counts = [...collection.counts, ...newCounts];
      }
      collection.fields = fields;
      this.stored.collections.set(name, collection);
    }
  }

  async drop(collection: string): Promise<void> {
    this.stored.collections.delete(collection);
  }

  async get<D extends Document>(collection: string, id: string): Promise<D | null> {
    const body = this.collection(collection).bodies.get(id);
    return body === undefined ? null : (JSON.parse(body) as D);
  }

  async getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<Map<string, D>> {
    const { bodies } = this.collection(collection);
    return new Map(ids.flatMap(id => (bodies.has(id) ? [[id, JSON.parse(bodies.get(id)!) as D]] : [])));
  }

  async find<D extends Document>(name: string, query: Query): Promise<Page<D>> {
    const { indexes, bodies } = this.collection(name);
    const { plan, ranges, skip, page } = paginate(name, indexes, query);
    const documents = Array.from(bodies.values(), body => JSON.parse(body) as Document);
    const bounds = plan.range?.bounds ?? [];
    const inRange = (document: Document): boolean => {
      const value = plan.range && fieldOf(document, plan.range.field);
      return bounds.every(bound => {
        if (typeof value !== typeof bound.value || value === null) return false;
        const order = compareScalars(value, bound.value);
        return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[bound.comparison];
      });
    };
    const found = ranges.flatMap(range =>
      documents
        .filter(document => inRange(document) && isWithin(document, range))
        .sort(compareBy(plan.order)),
    );
    return page<D>(frozen(found.slice(skip, skip + query.limit + 1)) as D[]);
  }

  scan<D extends Document>(collection: string, query: Query): AsyncIterable<readonly D[]> {
    return scanPages<D>(this.find.bind(this), collection, query);
  }

  async count(name: string, equals: Readonly<Record<string, Scalar>> = {}): Promise<number> {
    return this.counted(name, equals, null).length;
  }

  async sum(name: string, field: string, equals: Readonly<Record<string, Scalar>> = {}): Promise<number> {
    return this.counted(name, equals, field).reduce((sum, each) => sum + Number(fieldOf(each, field)), 0);
  }

  private counted(
    name: string,
    equals: Readonly<Record<string, Scalar>>,
    sumOf: string | null,
  ): readonly Document[] {
    const { counts, bodies } = this.collection(name);
    const { fields } = countedBy({ name, counts }, equals, sumOf);
    return [...bodies.values()]
      .map(body => JSON.parse(body) as Document)
      .filter(document => fields.every(field => fieldOf(document, field) === equals[field]));
  }

  async checkpoint(name: string): Promise<Checkpoint | null> {
    const value = this.stored.checkpoints.get(name);
    return value === undefined ? null : (JSON.parse(value) as Checkpoint);
  }

  /** Removes a checkpoint: the documents outlive it. */
  forgetCheckpoint(name: string): void {
    this.stored.checkpoints.delete(name);
  }

  waitForChange(collections: readonly string[], timeoutMs: number): Promise<void> {
    return this.stored.wakeUps.wait([...collections, this.closing], timeoutMs);
  }

  subscribe(collection: string, onChange: (parts: ChangedParts) => void): () => void {
    return this.stored.wakeUps.subscribe(collection, onChange);
  }

  async close(): Promise<void> {
    this.stored.wakeUps.notify([this.closing]);
  }

  async commit({ writes, checkpoint }: Commit): Promise<void> {
    validateWrites(writes);
    if (checkpoint?.expect !== undefined) this.checkExpected(checkpoint.name, checkpoint.expect);
    for (const { collection, document } of writes) {
      const { fields } = this.collection(collection);
      if (document) for (const field of fields) fieldOf(document, field);
    }
    this.checkNew(writes);
    this.checkUniqueIndexes(writes);
    for (const { collection, id, document } of writes) {
      const { bodies } = this.collection(collection);
      if (document) bodies.set(id, JSON.stringify(document));
      else bodies.delete(id);
    }
    if (checkpoint) {
      const { name, value } = checkpoint;
      if (value) this.stored.checkpoints.set(name, JSON.stringify(value));
      else this.stored.checkpoints.delete(name);
    }
    for (const [collection, parts] of changedParts(writes)) this.stored.wakeUps.notify([collection], parts);
  }

  private checkExpected(name: string, expected: Checkpoint | null): void {
    const value = JSON.parse(this.stored.checkpoints.get(name) ?? 'null') as Checkpoint | null;
    if (!isDeepStrictEqual(value, expected)) throw new CheckpointMoved(name);
  }

  /** As strict as an adapter may be. */
  private checkNew(writes: readonly Write[]): void {
    for (const { collection, id, isNew } of writes)
      if (isNew && this.collection(collection).bodies.has(id))
        throw new DuplicateKey(`${collection}: ${id} is not new`);
  }

  /** A unique value must be free when the write that takes it is applied. */
  private checkUniqueIndexes(writes: readonly Write[]): void {
    for (const name of new Set(writes.map(({ collection }) => collection))) {
      const { indexes, bodies } = this.collection(name);
      for (const index of indexes.filter(({ unique }) => unique)) {
        const documents = Array.from(bodies.values(), body => JSON.parse(body) as Document);
        const owners = new Map(documents.map(document => [indexKey(index, document), document._id]));
        const keys = new Map(documents.map(document => [document._id, indexKey(index, document)]));
        for (const { id, document } of writes.filter(({ collection }) => collection === name)) {
          const before = keys.get(id);
          if (before !== undefined && owners.get(before) === id) owners.delete(before);
          if (!document) continue;
          const key = indexKey(index, document);
          if (owners.has(key)) throw new DuplicateKey(`${name}: ${id} duplicates ${owners.get(key)}`);
          owners.set(key, id);
          keys.set(id, key);
        }
      }
    }
  }

  private collection(name: string): Collection {
    const collection = this.stored.collections.get(name);
    if (!collection) throw new UnknownCollection(name);
    return collection;
  }
}

export class Crash extends Error {
  override readonly name = 'Crash';
}

/** Documents whose program can crash before a commit, or after it and before it is told so. */
export class CrashingDocuments extends InMemoryDocuments {
  /** Beginnings and ends of commits until the next crash. */
  crashAfter = Infinity;

  override async commit(commit: Commit): Promise<void> {
    this.step();
    await super.commit(commit);
    this.step();
  }

  private step(): void {
    if (this.crashAfter-- > 0) return;
    this.crashAfter = Infinity;
    throw new Crash('at a commit');
  }
}

const indexKey = ({ fields }: IndexSpec, document: Document): string =>
  JSON.stringify(fields.map(([field]) => fieldOf(document, field)));

const checkUnique = (name: string, index: IndexSpec, documents: readonly Document[]): void => {
  if (!index.unique) return;
  const keys = new Set(documents.map(document => indexKey(index, document)));
  if (keys.size < documents.length) throw new DuplicateKey(`${name}: documents break a unique index`);
};

const isWithin = (document: Document, { equals, conditions }: IndexRange): boolean =>
  [...equals].every(([field, values]) => values.includes(fieldOf(document, field))) &&
  conditions.every(condition => meets(fieldOf(document, condition.field), condition));

const meets = (value: Scalar, { operator, value: bound }: FieldCondition): boolean => {
  const order = compareScalars(value, bound);
  if (operator === '=') return order === 0;
  return operator === '>' ? order > 0 : order < 0 && value !== null;
};

const compareBy =
  (order: readonly OrderTerm[]) =>
  (a: Document, b: Document): number => {
    for (const [field, direction] of order) {
      const difference = compareScalars(fieldOf(a, field), fieldOf(b, field));
      if (difference !== 0) return direction === 'asc' ? difference : -difference;
    }
    return 0;
  };
