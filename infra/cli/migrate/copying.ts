import type { Documents } from '../../../contracts/ports/documents';

/** One part of a migration: what is copied from where, how far it has come, and how to stop it. */
export interface Copying<Engine> {
  readonly from: Engine;
  readonly to: Engine;
  readonly way: Way;
  readonly signal: AbortSignal;
  onProgress(done: number): void;
}

/** How far a copy has come, kept at the target so that it goes on there after it was cut off. */
export interface Way {
  /** Null when it has not begun. */
  read(): Promise<Readonly<Record<string, number>> | null>;
  note(steps: Readonly<Record<string, number>>): Promise<void>;
}

/** Notes the way as a checkpoint of the target's documents. */
export function wayOf(documents: Documents, name: string): Way {
  return {
    async read() {
      const noted = await documents.checkpoint(`migration/${name}`);
      return noted && 'offsets' in noted ? noted.offsets : null;
    },
    note: steps =>
      documents.commit({
        writes: [],
        checkpoint: { name: `migration/${name}`, value: { offsets: steps } },
      }),
  };
}

/** The target holds what no migration has put there. */
export class TargetNotEmpty extends Error {
  override readonly name = 'TargetNotEmpty';
}
