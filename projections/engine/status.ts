import type { Checkpoint } from '../../contracts/ports/documents';
import type { Projection } from '../projection';
import type { Context } from './context';
import { lagOf } from './lag';
import {
  readRecords,
  type Building,
  type Fault,
  type Incomplete,
  type ProjectionRecord,
} from './projection-record';
import type { RunnerState } from './runner-state';
import { readSourceEnd, type SourceEnd } from './source-end';

/** State of a projection; `absent` before its first run. */
export interface ProjectionStatus {
  readonly name: string;
  /** Of the live documents. */
  readonly version: number;
  readonly generation: number;
  readonly state: RunnerState | 'absent';
  readonly checkpoint: Checkpoint | null;
  readonly head: Checkpoint | null;
  /** Positions of the event store, or messages of the log, not folded yet. */
  readonly lag: number;
  readonly fault: Fault | null;
  /** Events that it lacks although it has folded later ones. */
  readonly incomplete: Incomplete | null;
  /** The generation being built beside the live one. */
  readonly building: Pick<Building, 'generation' | 'version' | 'done' | 'total'> | null;
}

/**
 * The projections in their order, read from the stores, so that it works in any program.
 * @param runnerOf the state of a projection's runner in this program, if any
 */
export async function readStatus(
  context: Context,
  projections: readonly Projection[],
  runnerOf: (projection: string) => RunnerState | undefined,
): Promise<ProjectionStatus[]> {
  const names = projections.map(({ name }) => name);
  const end = await readSourceEnd(context, projections);
  const records = await readRecords(context.documents, names);
  return Promise.all(
    projections.map(each => statusOf(context, each, records.get(each.name), runnerOf(each.name), end)),
  );
}

async function statusOf(
  context: Context,
  projection: Projection,
  record: ProjectionRecord | undefined,
  runner: RunnerState | undefined,
  end: SourceEnd,
): Promise<ProjectionStatus> {
  const { name } = projection;
  if (!record)
    return {
      name,
      version: projection.version,
      generation: 0,
      state: 'absent',
      checkpoint: null,
      head: null,
      lag: 0,
      fault: null,
      incomplete: null,
      building: null,
    };
  const { version, generation, fault } = record;
  const behind = await lagOf(context, projection, record, end);
  const inferred = version !== projection.version ? 'outdated' : behind.lag === 0 ? 'live' : 'catching-up';
  // A runner reports that it is live only with its first batch.
  const running = runner === 'catching-up' && behind.lag === 0 ? 'live' : runner;
  const state = fault ? 'stopped' : (running ?? inferred);
  const building = record.building && {
    generation: record.building.generation,
    version: record.building.version,
    done: record.building.done,
    total: record.building.total,
  };
  return {
    name,
    version,
    generation,
    state,
    ...behind,
    fault,
    incomplete: record.incomplete ?? null,
    building,
  };
}
