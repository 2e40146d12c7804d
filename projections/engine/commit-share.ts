import { isUnavailable } from '../../contracts/engine/engine-unavailable';
import type { Documents } from '../../contracts/ports/documents';

/** A quarter of the time that MongoDB lets a transaction run: one of twice the size will end in time. */
const FAST_MS = 15_000;
const MIN_SHARE = 1 / 64;

/** By checkpoint, where it is not the whole: a writer that fails is followed by another one of the same checkpoint. */
const shares = new WeakMap<object, Map<string, number>>();

/**
 * Which part of `MAX_COMMIT_DOCUMENTS` and `MAX_COMMIT_BYTES` a commit may have: half as much after each one that was not done in
 * time, since the same one would fail again, for ever; twice as much after each one that was fast.
 */
export interface CommitShare {
  readonly share: number;
  /** Runs a commit. @throws what it throws */
  commit(changes: Parameters<Documents['commit']>[0]): Promise<void>;
}

export function commitShare(documents: Pick<Documents, 'commit'>, checkpoint: string): CommitShare {
  const known = shares.get(documents) ?? new Map<string, number>();
  shares.set(documents, known);
  const share = (): number => known.get(checkpoint) ?? 1;
  const change = (factor: number): void => {
    const changed = Math.max(MIN_SHARE, share() * factor);
    if (changed < 1) known.set(checkpoint, changed);
    else known.delete(checkpoint);
  };

  return {
    get share() {
      return share();
    },
    async commit(changes) {
      const began = performance.now();
      try {
        await documents.commit(changes);
        if (performance.now() - began < FAST_MS) change(2);
      } catch (error) {
        if (isUnavailable(error, 'documents')) change(1 / 2);
        throw error;
      }
    },
  };
}
