import type { Projection } from '../projection';
import type { Context } from './context';
import type { Progress } from './fill';
import { discard, planGeneration, type Generation } from './generation';
import { NothingToRebuild, RebuildInProgress, RebuildSuperseded } from './rebuild-errors';
import { changeRecord, type ProjectionRecord } from './record';

/** Milliseconds that a claim holds without being renewed, and between two renewals. */
const LEASE = 30_000;
const RENEW_EVERY = 2_000;

/** Takes the one place there is for a generation being built, and the next generation number with it. */
export async function claim(
  context: Context,
  projection: Projection,
  owner: string,
): Promise<{ readonly live: Generation; readonly fresh: Generation }> {
  const { documents, clock } = context;
  await giveUpExpired(context, projection.name);
  const plan = await planGeneration(context, projection);
  const record = await changeRecord(documents, projection.name, current => {
    if (!current) throw new NothingToRebuild(projection.name);
    if (current.building) throw new RebuildInProgress(projection.name);
    const latest = current.latest + 1;
    const building = { ...plan(latest), owner, until: clock().getTime() + LEASE, done: 0, total: 0 };
    return { ...current, latest, building };
  });
  return { live: record, fresh: record.building! };
}

/** Removes the half-built generation of a rebuild whose claim ran out. */
export async function giveUpExpired({ documents, clock }: Context, projection: string): Promise<void> {
  let expired: Generation | null = null;
  await changeRecord(documents, projection, record => {
    expired = record?.building && record.building.until < clock().getTime() ? record.building : null;
    return expired && { ...record!, building: null };
  });
  if (expired) await discard(documents, expired);
}

/** Gives the claim back, if it is still ours, and removes what was built. */
export async function release({ documents }: Context, projection: string, owner: string): Promise<void> {
  let given: Generation | null = null;
  await changeRecord(documents, projection, record => {
    given = record?.building?.owner === owner ? record.building : null;
    return given && { ...record!, building: null };
  });
  if (given) await discard(documents, given);
}

/**
 * The generation that was built becomes the live one, and the one before it is kept until reads have left it.
 * @throws RebuildSuperseded when the claim is no longer ours
 */
export function movePointer(
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

export interface Keeping {
  /** Fires with the rebuild's own signal, or with `RebuildSuperseded` when the claim was lost. */
  readonly signal: AbortSignal;
  /** Shown to other programs at the next renewal. */
  report(progress: Progress): void;
  end(): void;
}

/** Renews the claim until it is ended. */
export function keepClaim(
  { documents, clock, logger }: Context,
  projection: string,
  owner: string,
  signal: AbortSignal,
): Keeping {
  const lost = new AbortController();
  let progress: Progress = { done: 0, total: 0 };

  const renew = (): Promise<unknown> =>
    changeRecord(documents, projection, record => {
      if (record?.building?.owner !== owner) throw new RebuildSuperseded(projection);
      const building = { ...record.building, ...progress, until: clock().getTime() + LEASE };
      return { ...record, building };
    });

  const timer = setInterval(() => {
    renew().catch((error: unknown) => {
      if (error instanceof RebuildSuperseded) lost.abort(error);
      else logger.warn({ projection, error }, 'could not renew the claim of a rebuild');
    });
  }, RENEW_EVERY);

  return {
    signal: AbortSignal.any([signal, lost.signal]),
    report: at => {
      progress = at;
    },
    end: () => clearInterval(timer),
  };
}
