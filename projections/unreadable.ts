import { DamagedData } from '../contracts/engine/damaged-data';
import { EngineUnavailable } from '../contracts/engine/engine-unavailable';

/** The projection has not folded yet what its source held when this program started: what it has is not all. */
export class ProjectionBehind extends EngineUnavailable {
  override readonly name = 'ProjectionBehind';
  constructor(readonly projection: string) {
    super('documents', `the projection ${projection} has not caught up since the start`);
  }
}

/** The projection has stopped at an input that cannot be read or folded: what follows it is missing until it is fixed. */
export class ProjectionStopped extends DamagedData {
  override readonly name = 'ProjectionStopped';
  constructor(
    readonly projection: string,
    /** Where, such as `position 12`. */
    readonly stoppedAt: string,
  ) {
    super('documents', `the projection ${projection} has stopped at ${stoppedAt}`);
  }
}

/** The projection has passed over events that the store has: what it has is not all until it is built again. */
export class ProjectionIncomplete extends DamagedData {
  override readonly name = 'ProjectionIncomplete';
  constructor(
    readonly projection: string,
    /** How many it lacks. */
    readonly events: number,
  ) {
    super('documents', `the projection ${projection} has not folded ${events} of the recorded events`);
  }
}
