import { messageOf } from '../../contracts/text/error-message';
import type { Document } from '../../contracts/ports/documents';
import type { DocumentKey, Fold } from '../projection';

/** A document in a batch. `seen` is the last input that changed it, -1 when none did. */
export interface Entry {
  readonly key: DocumentKey;
  document: Document | null;
  seen: number;
  changed: boolean;
  /** Whether there is such a document in the documents, before the commit of the batch. */
  isStored: boolean;
  /** The size of the document when it was last measured. */
  measured?: { readonly document: Document; readonly bytes: number };
}

/** The documents of a batch, by collection and id. */
export type Entries = Map<string, Map<string, Entry>>;

/** An input, its sequence number within its partition, and the documents it touches. */
export interface TouchedInput<Input> {
  readonly input: Input;
  readonly sequence: number;
  readonly entries: readonly Entry[];
}

/** The fold, or `touches`, threw or broke its contract: the projection stops here until its code is fixed. */
export class FoldError extends Error {
  override readonly name = 'FoldError';
  constructor(
    /** The faulty input, such as `position 12` or `topic/3 offset 40`. */
    readonly at: string,
    cause: unknown,
  ) {
    super(`${at}: ${messageOf(cause)}`, { cause });
  }
}

type Folds<Input> = Pick<Fold<Input>, 'fold' | 'foldAll'>;

/**
 * Folds the inputs, in order, into their entries. A document skips inputs at or before the last one it has seen, so a
 * replay changes nothing. An input is folded into all its documents or, when it throws, into none.
 * @returns how many were folded before the one that threw, and its error; null when all were folded
 */
export function fold<Input>(
  projection: Folds<Input>,
  inputs: readonly TouchedInput<Input>[],
): { readonly folded: number; readonly error: unknown } {
  if (foldTogether(projection, inputs)) return { folded: inputs.length, error: null };
  for (const [folded, { input, sequence, entries }] of inputs.entries()) {
    try {
      const results = entries.map(entry =>
        sequence > entry.seen
          ? checked(entry, projection.fold(entry.document, input, entry.key))
          : entry.document,
      );
      entries.forEach((entry, i) => update(entry, results[i]!, sequence));
    } catch (error) {
      return { folded, error };
    }
  }
  return { folded: inputs.length, error: null };
}

/** Document by document. False when that threw and nothing is folded; folding input by input then finds the faulty one. */
function foldTogether<Input>(projection: Folds<Input>, inputs: readonly TouchedInput<Input>[]): boolean {
  if (!projection.foldAll) return false;
  const runs = new Map<Entry, { last: number; readonly inputs: Input[] }>();
  for (const { input, sequence, entries } of inputs)
    for (const entry of entries) {
      if (sequence <= entry.seen) continue;
      const run = runs.get(entry);
      if (!run) runs.set(entry, { last: sequence, inputs: [input] });
      else if (run.last < sequence) {
        run.last = sequence;
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
  for (const [entry, { last }] of runs) update(entry, results[i++]!, last);
  return true;
}

function checked({ key }: Entry, next: Document | null): Document | null {
  if (next && next._id !== key.id) throw new Error(`folded ${key.id} into a document named ${next._id}`);
  return next;
}

function update(entry: Entry, next: Document | null, sequence: number): void {
  // The same object means "not changed". `seen` then stays as it is, so that it does not depend on the batches.
  if (next === entry.document) return;
  entry.document = next;
  entry.seen = sequence;
  entry.changed = true;
}
