import { DamagedData } from '../../contracts/engine/damaged-data';
import { CheckpointMoved, type CollectionSpec, type Documents } from '../../contracts/ports/documents';
import type { Projection } from '../projection';
import { COMPARED_EVENTS } from './compared-events';
import { FoldError } from './fold';
import type { Generation } from './generation';

export const PROJECTIONS: CollectionSpec = { name: 'projections', indexes: [] };

/** The collections that the engine itself needs. */
export const ENGINE_COLLECTIONS: readonly CollectionSpec[] = [PROJECTIONS, COMPARED_EVENTS];

/** A generation being built. The claim of its `owner` expires at `expiresAt` (milliseconds) unless renewed. */
export type Building = Generation & {
  readonly owner: string;
  readonly expiresAt: number;
  readonly done: number;
  readonly total: number;
};

/** Why a projection stopped; it continues when this is cleared. */
export type Fault = {
  readonly at: string;
  readonly error: string;
  readonly since: string;
  /** Of the projection in the program that met it. */
  readonly version?: number;
};

/** Events that the store has, and that the live generation has not folded although it has folded later ones. */
export type Incomplete = {
  readonly events: number;
  /** They are after this position, at or before `upTo`. */
  readonly after: number;
  readonly upTo: number;
  readonly since: string;
};

/**
 * The state of a projection, a document of the collection `projections`: the live generation (at the top level), the one
 * being built, and the retired ones.
 */
export type ProjectionRecord = Generation & {
  readonly _id: string;
  /** Number of changes of this record; each change expects the one before. */
  readonly revision: number;
  /** The highest generation number used so far. */
  readonly latest: number;
  readonly building: Building | null;
  /** `until`: time in milliseconds up to which reads may still use it. */
  readonly retired: (Generation & { readonly until: number })[];
  readonly fault: Fault | null;
  /** Of the live generation: only another one repairs it. */
  readonly incomplete?: Incomplete;
  /** Time in milliseconds up to which reads of a program that does not run it wait for it. */
  readonly wantedUntil?: number;
};

export type RecordContent = Omit<ProjectionRecord, '_id' | 'revision'>;

export function readRecord(documents: Documents, name: string): Promise<ProjectionRecord | null> {
  return documents.get<ProjectionRecord>(PROJECTIONS.name, name);
}

/** Of projections that have run, by name. */
export function readRecords(
  documents: Documents,
  names: readonly string[],
): Promise<ReadonlyMap<string, ProjectionRecord>> {
  return documents.getMany<ProjectionRecord>(PROJECTIONS.name, names);
}

/**
 * Changes the record; after a concurrent change `change` is called again with the new record. Null leaves it as it is.
 * @returns the record after the change
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

/** Why a program cannot go on with a projection: what stopped another version of it does not stop this one. */
export function faultOf(
  record: ProjectionRecord | null,
  { version }: Pick<Projection, 'version'>,
): Fault | null {
  const { fault } = record ?? { fault: null };
  return fault && (fault.version ?? version) === version ? fault : null;
}

/** Stores why the projection stopped, for `status` and the operator. */
export async function recordFault(
  { documents, clock }: { readonly documents: Documents; readonly clock: () => Date },
  { name, version }: Pick<Projection, 'name' | 'version'>,
  error: Error,
): Promise<void> {
  const at = error instanceof FoldError || error instanceof DamagedData ? error.at : 'commit';
  const fault = { at, error: error.message, since: clock().toISOString(), version };
  await changeRecord(documents, name, record => record && { ...record, fault });
}

/** Lets a stopped projection retry the input it stopped at. */
export async function clearFault(
  { documents }: { readonly documents: Documents },
  projection: string,
): Promise<void> {
  await changeRecord(documents, projection, record => (record?.fault ? { ...record, fault: null } : null));
}
