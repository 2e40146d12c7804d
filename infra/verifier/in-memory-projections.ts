import { categoryOf } from '../../contracts/category';
import type { LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import type { Document } from '../../contracts/ports/documents';
import type { DocumentKey, EventProjection } from '../../projections/projection';
import type { InMemoryDocuments } from './in-memory-views';

/** By collection, which of its documents are needed; none of a collection that is absent. */
export type DocumentFilter = Readonly<Record<string, (id: string) => boolean>>;

/** A document, and the events not yet folded into it. */
interface Entry {
  readonly projection: EventProjection;
  readonly key: DocumentKey;
  document: Document | null;
  pending: LedgerEvent[];
}

/** Events folded at once: a sum over many events is then written once. */
const BATCH_SIZE = 1_000;

/** Folds events into the needed documents, in memory, with the folds of the projections. */
export class InMemoryProjections {
  readonly #entries = new Map<string, Map<string, Entry>>();
  readonly #byCategory = new Map<string, readonly EventProjection[]>();
  /** A new array for each batch: a reused one would move its events into the old generation of the heap. */
  #touched: Entry[] = [];
  #count = 0;

  constructor(
    projections: readonly EventProjection[],
    private readonly filter: DocumentFilter,
  ) {
    for (const category of new Set(projections.flatMap(({ categories }) => categories)))
      this.#byCategory.set(
        category,
        projections.filter(({ categories }) => categories.includes(category)),
      );
  }

  /** @throws when the projections of this program do not know the event */
  apply(event: LedgerEvent): void {
    for (const projection of this.#byCategory.get(categoryOf(event.stream)) ?? [])
      for (const key of projection.touches(event))
        if (this.filter[key.collection]?.(key.id)) {
          const entry = this.#entry(projection, key);
          if (entry.pending.push(event) === 1) this.#touched.push(entry);
        }
    if (++this.#count % BATCH_SIZE === 0) this.#fold();
  }

  documents(): InMemoryDocuments {
    this.#fold();
    const collections = new Map<string, Map<string, Document>>();
    for (const [collection, entries] of this.#entries) {
      const documents = new Map<string, Document>();
      for (const [id, { document }] of entries) if (document) documents.set(id, document);
      collections.set(collection, documents);
    }
    return collections;
  }

  #fold(): void {
    for (const entry of this.#touched) {
      entry.document = folded(entry);
      entry.pending = [];
    }
    this.#touched = [];
  }

  #entry(projection: EventProjection, key: DocumentKey): Entry {
    let entries = this.#entries.get(key.collection);
    if (!entries) this.#entries.set(key.collection, (entries = new Map<string, Entry>()));
    let entry = entries.get(key.id);
    if (!entry) entries.set(key.id, (entry = { projection, key, document: null, pending: [] }));
    return entry;
  }
}

const folded = ({ projection, key, document, pending }: Entry): Document | null =>
  projection.foldAll
    ? projection.foldAll(document, pending, key)
    : pending.reduce<Document | null>((before, event) => projection.fold(before, event, key), document);
