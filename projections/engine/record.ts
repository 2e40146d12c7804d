import { CheckpointMoved, type CollectionSpec, type Documents } from '../../contracts/ports/documents';
import { DELETIONS } from './deletions';
import type { Generation } from './generation';

export const PROJECTIONS: CollectionSpec = { name: 'projections', indexes: [] };

/** The collections that the engine itself needs. */
export const ENGINE_COLLECTIONS: readonly CollectionSpec[] = [PROJECTIONS, DELETIONS];

/** A generation being filled, and who fills it: its claim holds until `until` (milliseconds) and is renewed. */
export type Building = Generation & {
  readonly owner: string;
  readonly until: number;
  readonly done: number;
  readonly total: number;
};

/** Why a projection stopped; it goes on when this is cleared. */
export type Fault = { readonly at: string; readonly error: string; readonly since: string };

/**
 * What is known of a projection, one document of the collection `projections`: the generation that is live (its
 * members stand at the top), the one being built, and those on their way out.
 */
export type ProjectionRecord = Generation & {
  readonly _id: string;
  /** Counts the changes of this record; each expects the one before it. */
  readonly revision: number;
  /** The highest generation number given out. */
  readonly latest: number;
  readonly building: Building | null;
  /** `until`: milliseconds up to which reads may still be going on in it. */
  readonly retired: (Generation & { readonly until: number })[];
  readonly fault: Fault | null;
};

export type RecordContent = Omit<ProjectionRecord, '_id' | 'revision'>;

export function readRecord(documents: Documents, name: string): Promise<ProjectionRecord | null> {
  return documents.get<ProjectionRecord>(PROJECTIONS.name, name);
}

/**
 * Changes the record if nobody else did meanwhile, else decides anew on what is there now. Null leaves it as it is.
 * Answers the record as it then stands.
 */
export async function changeRecord(
  documents: Documents,
  name: string,
  change: (record: ProjectionRecord | null) => RecordContent | null,
): Promise<ProjectionRecord> {
  const checkpoint = `projections/${name}`;
  for (;;) {
    const record = await readRecord(documents, name);
    const content = change(record);
    if (!content) return record!;
    const revision = (record?.revision ?? -1) + 1;
    const changed: ProjectionRecord = { ...content, _id: name, revision };
    const expect = record && { position: record.revision };
    try {
      await documents.commit({
        writes: [{ collection: PROJECTIONS.name, id: name, document: changed }],
        checkpoint: { name: checkpoint, value: { position: revision }, expect },
      });
      return changed;
    } catch (error) {
      if (!(error instanceof CheckpointMoved)) throw error;
    }
  }
}
