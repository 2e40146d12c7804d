import type { Projection } from '../projection';
import type { Context } from './context';
import type { CatchUpProgress } from './catch-up';
import { discard, planGeneration, type Generation } from './generation';
import { NothingToRebuild, RebuildInProgress, RebuildSuperseded } from './rebuild-errors';
import { changeRecord, type ProjectionRecord } from './projection-record';

/** How long a claim is valid without a renewal, and the interval of renewals. */
const LEASE_MS = 30_000;
const RENEW_MS = 2_000;

/**
 * Claims the rebuild of a projection, of which there is one at a time, with the next generation number.
 * @throws NothingToRebuild, RebuildInProgress
 */
export async function claim(
  context: Context,
  projection: Projection,
  owner: string,
): Promise<{ readonly live: Generation; readonly fresh: Generation }> {
  const { documents, clock } = context;
  await releaseExpired(context, projection.name);
  const plan = await planGeneration(context, projection);
  const record = await changeRecord(documents, projection.name, current => {
    if (!current) throw new NothingToRebuild(projection.name);
    if (current.building) throw new RebuildInProgress(projection.name);
    const latest = current.latest + 1;
    const building = { ...plan(latest), owner, expiresAt: clock().getTime() + LEASE_MS, done: 0, total: 0 };
    return { ...current, latest, building };
  });
  return { live: record, fresh: record.building! };
}

/** Removes the partly built generation of a rebuild whose claim has expired. */
export async function releaseExpired({ documents, clock }: Context, projection: string): Promise<void> {
  let expired: Generation | null = null;
  await changeRecord(documents, projection, record => {
    expired = record?.building && record.building.expiresAt < clock().getTime() ? record.building : null;
    return expired && { ...record!, building: null };
  });
  if (expired) await discard(documents, expired);
}

/** Releases the claim, if it is still ours, and removes what was built. */
export async function release({ documents }: Context, projection: string, owner: string): Promise<void> {
  let released: Generation | null = null;
  await changeRecord(documents, projection, record => {
    released = record?.building?.owner === owner ? record.building : null;
    return released && { ...record!, building: null };
  });
  if (released) await discard(documents, released);
}

/**
 * Makes the generation that was built the live one. The one before stays until `until` (milliseconds), for its readers.
 * @throws RebuildSuperseded when the claim is no longer ours
 */
export function promote(
  { documents }: Context,
  projection: string,
  owner: string,
  until: number,
): Promise<ProjectionRecord> {
  return changeRecord(documents, projection, record => {
    if (record?.building?.owner !== owner) throw new RebuildSuperseded(projection);
    const { generation, version, collections, checkpoints, retired, building } = record;
    return {
      generation: building.generation,
      version: building.version,
      collections: building.collections,
      checkpoints: building.checkpoints,
      latest: record.latest,
      building: null,
      retired: [...retired, { generation, version, collections, checkpoints, until }],
      fault: null,
    };
  });
}

export interface HeldClaim {
  /** Aborts with the rebuild's own signal, or with `RebuildSuperseded` when the claim is lost. */
  readonly signal: AbortSignal;
  /** Stored with the next renewal, for other programs. */
  report(progress: CatchUpProgress): void;
  end(): void;
}

/** Renews the claim until `end`. */
export function holdClaim(
  { documents, clock, logger }: Context,
  projection: string,
  owner: string,
  signal: AbortSignal,
): HeldClaim {
  const lost = new AbortController();
  let progress: CatchUpProgress = { done: 0, total: 0 };

  const renew = (): Promise<unknown> =>
    changeRecord(documents, projection, record => {
      if (record?.building?.owner !== owner) throw new RebuildSuperseded(projection);
      const building = { ...record.building, ...progress, expiresAt: clock().getTime() + LEASE_MS };
      return { ...record, building };
    });

  const timer = setInterval(() => {
    renew().catch((error: unknown) => {
      if (error instanceof RebuildSuperseded) lost.abort(error);
      else logger.warn({ projection, err: error }, 'rebuild claim not renewed');
    });
  }, RENEW_MS);

  return {
    signal: AbortSignal.any([signal, lost.signal]),
    report: now => {
      progress = now;
    },
    end: () => clearInterval(timer),
  };
}
