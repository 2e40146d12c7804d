import { isDeepStrictEqual } from 'node:util';
import {
  CheckpointMoved,
  UnknownCollection,
  type Checkpoint,
  type CollectionSpec,
  type Commit,
  type Document,
  type Documents,
  type Page,
  type Query,
} from '../../contracts/ports/documents';

export class Crash extends Error {
  override readonly name = 'Crash';
}

/**
 * Documents in memory for tests of the projection engine. Unlike SQLite it applies a commit write by write and the
 * checkpoint last, and can be told to die in between: what an adapter without transactions may leave behind.
 */
export class InMemoryDocumentsDouble implements Documents {
  private readonly collections = new Map<string, Map<string, string>>();
  private readonly checkpoints = new Map<string, string>();
  private readonly waiting = new Set<() => void>();
  /** Writes until the crash; the checkpoint counts as the last write of its commit. */
  crashAfter = Infinity;

  async declare(specs: readonly CollectionSpec[]): Promise<void> {
    for (const { name } of specs)
      if (!this.collections.has(name)) this.collections.set(name, new Map<string, string>());
  }

  async drop(collection: string): Promise<void> {
    this.collections.delete(collection);
  }

  async get<D extends Document>(collection: string, id: string): Promise<D | null> {
    const body = this.collection(collection).get(id);
    return body === undefined ? null : (JSON.parse(body) as D);
  }

  async getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<Map<string, D>> {
    const bodies = this.collection(collection);
    return new Map(ids.flatMap(id => (bodies.has(id) ? [[id, JSON.parse(bodies.get(id)!) as D]] : [])));
  }

  /** By id only; the cursor is the last id. */
  async find<D extends Document>(collection: string, { limit, cursor }: Query): Promise<Page<D>> {
    const bodies = this.collection(collection);
    const ids = [...bodies.keys()].sort().filter(id => cursor === undefined || id > cursor);
    const documents = ids.slice(0, limit).map(id => JSON.parse(bodies.get(id)!) as D);
    return { documents, next: ids.length > limit ? ids[limit - 1]! : null };
  }

  async *scan<D extends Document>(collection: string, query: Query): AsyncIterable<readonly D[]> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Page<D> = await this.find<D>(collection, { ...query, ...(cursor && { cursor }) });
      if (page.documents.length > 0) yield page.documents;
      cursor = page.next;
    }
  }

  async count(collection: string): Promise<number> {
    return this.collection(collection).size;
  }

  async commit({ writes, checkpoint }: Commit): Promise<void> {
    const stored = checkpoint && this.stored(checkpoint.name);
    if (checkpoint?.expect !== undefined && !isDeepStrictEqual(stored, checkpoint.expect))
      throw new CheckpointMoved(checkpoint.name);
    for (const { collection } of writes) this.collection(collection);
    for (const { collection, id, document } of writes) {
      this.step();
      if (document) this.collection(collection).set(id, JSON.stringify(document));
      else this.collection(collection).delete(id);
    }
    if (checkpoint) {
      this.step();
      this.checkpoints.set(checkpoint.name, JSON.stringify(checkpoint.value));
    }
    for (const wake of this.waiting) wake();
  }

  async checkpoint(name: string): Promise<Checkpoint | null> {
    return this.stored(name);
  }

  /** As when documents outlive their checkpoint. */
  forget(checkpoint: string): void {
    this.checkpoints.delete(checkpoint);
  }

  async changed(_collections: readonly string[], timeout: number): Promise<void> {
    await new Promise<void>(resolve => {
      const wake = () => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeout);
      this.waiting.add(wake);
    });
  }

  async close(): Promise<void> {
    for (const wake of this.waiting) wake();
  }

  private stored(name: string): Checkpoint | null {
    const value = this.checkpoints.get(name);
    return value === undefined ? null : (JSON.parse(value) as Checkpoint);
  }

  private collection(name: string): Map<string, string> {
    const bodies = this.collections.get(name);
    if (!bodies) throw new UnknownCollection(name);
    return bodies;
  }

  private step(): void {
    if (this.crashAfter-- <= 0) {
      this.crashAfter = Infinity;
      throw new Crash('between two writes');
    }
  }
}
