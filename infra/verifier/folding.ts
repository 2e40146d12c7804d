import type { LedgerEvent } from '../../contracts/seal/ledger-line';
import type { Document } from '../../infra/documents/port';
import { fold, type Entry, type Touching } from '../../projections/engine/fold';
import type { DocumentKey, EventProjection } from '../../projections/projection';
import type { Held } from './memory-views';

/** By collection, which of its documents are wanted; none of a collection that is not there. */
export type Wanted = Readonly<Record<string, (id: string) => boolean>>;

/** Events folded at a time: sums of many events of one bucket are then written once. */
const BATCH = 2_000;

/** Folds events into documents in memory, by the projections' own folds: those documents that are wanted, and no other. */
export class Folding {
  readonly #entries = new Map<string, Map<string, Entry>>();
  readonly #waiting = new Map<EventProjection, Touching<LedgerEvent>[]>();
  readonly #byCategory = new Map<string, readonly EventProjection[]>();
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
    for (const projection of this.#byCategory.get(category) ?? []) {
      const entries: Entry[] = [];
      for (const key of projection.touches(event))
        if (this.wants[key.collection]?.(key.id)) entries.push(this.#entry(key));
      if (entries.length === 0) continue;
      const waiting = this.#waiting.get(projection);
      const touching = { input: event, at: event.position, entries };
      if (waiting) waiting.push(touching);
      else this.#waiting.set(projection, [touching]);
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
    for (const [projection, waiting] of this.#waiting) {
      const { error } = fold(projection, waiting);
      if (error !== null) throw error;
    }
    this.#waiting.clear();
  }

  #entry(key: DocumentKey): Entry {
    let entries = this.#entries.get(key.collection);
    if (!entries) this.#entries.set(key.collection, (entries = new Map<string, Entry>()));
    let entry = entries.get(key.id);
    if (!entry) entries.set(key.id, (entry = { key, document: null, seen: -1, changed: false }));
    return entry;
  }
}
