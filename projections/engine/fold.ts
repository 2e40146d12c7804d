import type { Document } from '../../contracts/ports/documents';
import type { DocumentKey, Fold } from '../projection';

/** A document in the hands of a batch. `seen` is the last input that changed it, -1 when none did. */
export interface Entry {
  readonly key: DocumentKey;
  document: Document | null;
  seen: number;
  changed: boolean;
}

/** The documents in hand, by collection and id. */
export type Entries = Map<string, Map<string, Entry>>;

/** An input, the number that orders it within its lane, and the documents it touches. */
export interface Touching<Input> {
  readonly input: Input;
  readonly at: number;
  readonly entries: readonly Entry[];
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

type Folds<Input> = Pick<Fold<Input>, 'fold' | 'foldAll'>;

/**
 * Folds the inputs, in order, into their entries. A document skips inputs at or below the last one it has seen, so a
 * replay of any stretch changes nothing. An input is folded into all its documents or, when it throws, into none.
 * Stops at the input that throws and says which: those before it are folded.
 */
export function fold<Input>(
  projection: Folds<Input>,
  inputs: readonly Touching<Input>[],
): { readonly folded: number; readonly error: unknown } {
  if (foldTogether(projection, inputs)) return { folded: inputs.length, error: null };
  for (const [folded, { input, at, entries }] of inputs.entries()) {
    try {
      const results = entries.map(entry =>
        at > entry.seen ? checked(entry, projection.fold(entry.document, input, entry.key)) : entry.document,
      );
      entries.forEach((entry, i) => take(entry, results[i]!, at));
    } catch (error) {
      return { folded, error };
    }
  }
  return { folded: inputs.length, error: null };
}

/** Document by document. False, and nothing is folded, when that threw: then input by input finds out at which. */
function foldTogether<Input>(projection: Folds<Input>, inputs: readonly Touching<Input>[]): boolean {
  if (!projection.foldAll) return false;
  const runs = new Map<Entry, { at: number; readonly inputs: Input[] }>();
  for (const { input, at, entries } of inputs)
    for (const entry of entries) {
      if (at <= entry.seen) continue;
      const run = runs.get(entry);
      if (!run) runs.set(entry, { at, inputs: [input] });
      else if (run.at < at) {
        run.at = at;
        run.inputs.push(input);
      }
    }
  const results: (Document | null)[] = [];
  try {
    for (const [entry, run] of runs)
      results.push(checked(entry, projection.foldAll(entry.document, run.inputs, entry.key)));
  } catch {
    return false;
  }
  let i = 0;
  for (const [entry, { at }] of runs) take(entry, results[i++]!, at);
  return true;
}

function checked({ key }: Entry, next: Document | null): Document | null {
  if (next && next._id !== key.id) throw new Error(`folded ${key.id} into a document named ${next._id}`);
  return next;
}

function take(entry: Entry, next: Document | null, at: number): void {
  // The same object back means "not changed"; `seen` then stays, which keeps it the same however inputs are batched.
  if (next === entry.document) return;
  entry.document = next;
  entry.seen = at;
  entry.changed = true;
}
