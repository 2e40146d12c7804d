import type { Documents } from '../../../contracts/ports/documents';

/** One part of a migration: source, target, progress, and how to stop it. */
export interface CopyTask<Engine> {
  readonly from: Engine;
  readonly to: Engine;
  readonly progress: CopyProgress;
  readonly signal: AbortSignal;
  onProgress(done: number): void;
}

/** How far a copy is, stored at the target so that an interrupted copy continues there. */
export interface CopyProgress {
  /** Null before the start. */
  load(): Promise<Readonly<Record<string, number>> | null>;
  store(steps: Readonly<Record<string, number>>): Promise<void>;
}

/** Stored as a checkpoint in the documents of the target. */
export function copyProgress(documents: Documents, name: string): CopyProgress {
  return {
    async load() {
      const stored = await documents.checkpoint(`migration/${name}`);
      return stored && 'offsets' in stored ? stored.offsets : null;
    },
    store: steps =>
      documents.commit({
        writes: [],
        checkpoint: { name: `migration/${name}`, value: { offsets: steps } },
      }),
  };
}

/** The target has data that is not from a migration. */
export class TargetNotEmpty extends Error {
  override readonly name = 'TargetNotEmpty';
}
