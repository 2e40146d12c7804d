/** Another rebuild of the projection is at work, here or in another program. */
export class RebuildInProgress extends Error {
  override readonly name = 'RebuildInProgress';
  constructor(projection: string) {
    super(`${projection} is being rebuilt already`);
  }
}

/** The claim ran out, because this program slept too long, and somebody else has given the generation up. */
export class RebuildSuperseded extends Error {
  override readonly name = 'RebuildSuperseded';
  constructor(projection: string) {
    super(`the rebuild of ${projection} was given up by another program`);
  }
}

/** The projection has never run, so there is nothing to rebuild. */
export class NothingToRebuild extends Error {
  override readonly name = 'NothingToRebuild';
  constructor(projection: string) {
    super(`${projection} has never run`);
  }
}
