import type { Document } from '../../infra/documents/port';
import type { DocumentKey, Fold } from '../projection';

/** A document in the hands of a batch. `seen` is the last input that changed it, -1 when none did. */
export interface Entry {
  document: Document | null;
  seen: number;
  changed: boolean;
}

/** The documents a batch touches, by collection and id. */
export type Entries = ReadonlyMap<string, ReadonlyMap<string, Entry>>;

/** An input, the number that orders it within its lane, and the documents it touches. */
export interface Touching<Input> {
  readonly input: Input;
  readonly at: number;
  readonly keys: readonly DocumentKey[];
}

/** The fold, or `touches`, threw or broke its contract: the projection stops here until its code is mended. */
export class FoldError extends Error {
  override readonly name = 'FoldError';
  constructor(
    /** The input at fault, such as `position 12` or `topic/3 offset 40`. */
    readonly at: string,
    cause: unknown,
  ) {
    super(`${at}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * Folds the inputs, in order, into the entries. A document skips inputs at or below the last one it has seen, so a
 * replay of any stretch changes nothing. An input is folded into all its documents or, when it throws, into none.
 * Stops at the input that throws and says which: those before it are folded.
 */
export function fold<Input>(
  projection: Pick<Fold<Input>, 'fold'>,
  inputs: readonly Touching<Input>[],
  entries: Entries,
): { readonly folded: number; readonly error: unknown } {
  for (const [folded, { input, at, keys }] of inputs.entries()) {
    try {
      const results = keys.map(key => foldOne(projection, input, at, key, entry(entries, key)));
      results.forEach(apply => apply?.());
    } catch (error) {
      return { folded, error };
    }
  }
  return { folded: inputs.length, error: null };
}

const entry = (entries: Entries, { collection, id }: DocumentKey): Entry => entries.get(collection)!.get(id)!;

function foldOne<Input>(
  projection: Pick<Fold<Input>, 'fold'>,
  input: Input,
  at: number,
  key: DocumentKey,
  entry: Entry,
): (() => void) | null {
  if (at <= entry.seen) return null;
  const next = projection.fold(entry.document, input, key);
  // The same object back means "not changed"; `seen` then stays, which keeps it the same however inputs are batched.
  if (next === entry.document) return null;
  if (next && next._id !== key.id) throw new Error(`folded ${key.id} into a document named ${next._id}`);
  return () => {
    entry.document = next;
    entry.seen = at;
    entry.changed = true;
  };
}
