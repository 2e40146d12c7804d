/** Another rebuild of the projection is running, in this program or another. */
export class RebuildInProgress extends Error {
  override readonly name = 'RebuildInProgress';
  constructor(projection: string) {
    super(`${projection} is already being rebuilt`);
  }
}

/** The claim expired, because this program was suspended for too long, and another program has taken it over. */
export class RebuildSuperseded extends Error {
  override readonly name = 'RebuildSuperseded';
  constructor(projection: string) {
    super(`the claim of the rebuild of ${projection} expired and another program took it over`);
  }
}

/** The projection has never run: there is nothing to rebuild. */
export class NothingToRebuild extends Error {
  override readonly name = 'NothingToRebuild';
  constructor(projection: string) {
    super(`${projection} has never run`);
  }
}
