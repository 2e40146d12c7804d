import type { TonBackfilledMessage } from '../../contracts/chain/ton';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';

/**
 * How much of an account's history a projection has folded. Each that answers with lists has it beside its own documents: the
 * others may be ahead of it.
 */
export type Reached = {
  /** The number of the last watch from before which all transactions are folded; 0 while there is none. */
  backfilled: number;
  /** For the last watch: all from a logical time on are folded. Null before the first page of a backfill. */
  reached: { watch: number; downTo: string } | null;
};

export const NOTHING_REACHED: Reached = { backfilled: 0, reached: null };

/** Only grows, so the order of records does not matter. */
export function foldReached({ backfilled, reached }: Reached, message: TonBackfilledMessage): Reached {
  const { watch, downTo } = message;
  if (downTo === '0') return { backfilled: Math.max(backfilled, watch), reached };
  const isFurther =
    !reached || watch > reached.watch || (watch === reached.watch && BigInt(downTo) < BigInt(reached.downTo));
  return { backfilled, reached: isFurther ? { watch, downTo } : reached };
}

/**
 * The logical time from which on everything is known for a watch; 0: from the first transaction on. Null while the backfill has
 * read nothing for it.
 * @param watch null for any watch
 */
export function knownSince({ backfilled, reached }: Reached, watch: number | null): bigint | null {
  if (backfilled >= (watch ?? 1)) return 0n;
  return reached && reached.watch >= (watch ?? 1) ? BigInt(reached.downTo) : null;
}

/** One document for each account, by its key. */
export type ReachedDocument = Document & Reached;

export function reachedCollection(name: string): CollectionSpec {
  return { name, indexes: [] };
}

/** The document of an account after a message; something that is retracted makes its history be read again. */
export function foldReachedDocument(
  known: ReachedDocument | null,
  message: TonBackfilledMessage | { readonly type: 'retracted' },
  _id: string,
): ReachedDocument | null {
  if (message.type === 'retracted') return null;
  return { _id, ...foldReached(known ?? NOTHING_REACHED, message) };
}
