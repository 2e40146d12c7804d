import type { LedgerEvent } from '../../contracts/seal/ledger-line';
import type { Document } from '../../contracts/ports/documents';
import type { DocumentKey, EventProjection } from '../../projections/projection';
import type { Held } from './memory-views';

/** By collection, which of its documents are wanted; none of a collection that is not there. */
export type Wanted = Readonly<Record<string, (id: string) => boolean>>;

/** A document, and the events that wait to be folded into it. */
interface Entry {
  readonly projection: EventProjection;
  readonly key: DocumentKey;
  document: Document | null;
  waiting: LedgerEvent[];
}

/** Events folded at a time: sums of many events of one bucket are then written once. */
const BATCH = 1_000;

/** Folds events into documents in memory, by the projections' own folds: those documents that are wanted, and no other. */
export class Folding {
  readonly #entries = new Map<string, Map<string, Entry>>();
  readonly #byCategory = new Map<string, readonly EventProjection[]>();
  /** A list of its own for each batch: one that is used again and again grows old, and its events with it. */
  #touched: Entry[] = [];
  #count = 0;

  constructor(
    projections: readonly EventProjection[],
    private readonly wants: Wanted,
  ) {
    for (const category of new Set(projections.flatMap(({ categories }) => categories)))
      this.#byCategory.set(
        category,
        projections.filter(({ categories }) => categories.includes(category)),
      );
  }

  /** @throws when the projections of this program do not know the event */
  add(event: LedgerEvent): void {
    const category = event.stream.slice(0, event.stream.indexOf('-'));
    for (const projection of this.#byCategory.get(category) ?? [])
      for (const key of projection.touches(event))
        if (this.wants[key.collection]?.(key.id)) {
          const entry = this.#entry(projection, key);
          if (entry.waiting.push(event) === 1) this.#touched.push(entry);
        }
    if (++this.#count % BATCH === 0) this.#fold();
  }

  documents(): Held {
    this.#fold();
    const held = new Map<string, Map<string, Document>>();
    for (const [collection, entries] of this.#entries) {
      const documents = new Map<string, Document>();
      for (const [id, { document }] of entries) if (document) documents.set(id, document);
      held.set(collection, documents);
    }
    return held;
  }

  #fold(): void {
    for (const entry of this.#touched) {
      entry.document = folded(entry);
      entry.waiting = [];
    }
    this.#touched = [];
  }

  #entry(projection: EventProjection, key: DocumentKey): Entry {
    let entries = this.#entries.get(key.collection);
    if (!entries) this.#entries.set(key.collection, (entries = new Map<string, Entry>()));
    let entry = entries.get(key.id);
    if (!entry) entries.set(key.id, (entry = { projection, key, document: null, waiting: [] }));
    return entry;
  }
}

const folded = ({ projection, key, document, waiting }: Entry): Document | null =>
  projection.foldAll
    ? projection.foldAll(document, waiting, key)
    : waiting.reduce<Document | null>((before, event) => projection.fold(before, event, key), document);
