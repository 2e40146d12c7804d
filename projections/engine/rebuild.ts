import { v4 } from 'uuid';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import type { Projection } from '../projection';
import { claim, keepClaim, movePointer, release, type Keeping } from './claim';
import { compare, type Comparison } from './compare';
import type { Context } from './context';
import { fill, type OnProgress } from './fill';
import { physicalSpecs, reachOf, seal, type Generation } from './generation';
import { RebuildSuperseded } from './rebuild-errors';

export interface RebuildOptions {
  /** Cancels: the half-built generation is removed and the reason of the signal is thrown. */
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress;
  /**
   * Whether the new generation takes the place of the live one: `always` (the default), when it is `equal` to it, or
   * `never`, which only verifies. A generation that is not taken is removed.
   */
  readonly switchWhen?: 'always' | 'equal' | 'never';
}

export interface RebuildReport {
  readonly projection: string;
  readonly from: { readonly version: number; readonly generation: number };
  readonly to: { readonly version: number; readonly generation: number };
  /** Null when there is nothing to compare: the versions differ, or the live generation was never filled. */
  readonly comparison: Comparison | null;
  readonly switched: boolean;
}

/** Milliseconds that the generation left behind is kept for reads that are still going on in it. */
const GRACE = 60_000;

/** A pass over what came since the last one that is as short as this is near enough to the end, in milliseconds. */
const SHORT_PASS = 100;

/**
 * Fills a new generation beside the live one, compares, and moves the pointer.
 *
 * Safe with the live runner, in this program or another: each generation has checkpoints of its own, so the two never
 * write to one place. The pointer moves by a commit that expects the record as this rebuild has claimed it; of two
 * rebuilds, or of a rebuild that slept through its lease and the next one, one is refused. After the pointer the old
 * generation is sealed: its runner's next commit is refused, it reads the record and goes on with the new generation
 * from that one's checkpoint, so no input is left out or folded twice. Reads follow once the new generation has seen
 * what the sealed one had. A rebuild that dies at any instant leaves a claim that runs out and a generation nobody
 * reads; the next rebuild, or the reaper of a runner, removes it.
 *
 * @throws RebuildInProgress, RebuildSuperseded, FoldError
 */
export async function rebuild(
  context: Context,
  projection: Projection,
  { signal, onProgress, switchWhen = 'always' }: RebuildOptions,
): Promise<RebuildReport> {
  const { documents, clock, logger } = context;
  const { name } = projection;
  const owner = v4();
  const { live, fresh } = await claim(context, projection, owner);
  const claimed = keepClaim(context, name, owner, signal);
  const passes = passesOver(context, projection, fresh.generation, claimed, onProgress);
  logger.info({ projection: name, from: brief(live), to: brief(fresh) }, 'rebuilding projection');
  try {
    const specs = physicalSpecs(projection.collections, fresh.generation);
    await documents.declare(specs, { deferIndexes: true });
    await passes.untilShort();
    // Documents of two versions are meant to differ, and those that were never filled have nothing to say.
    const comparable = live.version === fresh.version && (await isBegun(documents, live));
    const indexed = documents.declare(specs);
    const catchUp = (): Promise<void> => indexed.then(passes.once);
    const [comparison] = await together(
      comparable ? compare(documents, live, fresh, catchUp, claimed.signal) : null,
      indexed,
    );
    await passes.untilShort();

    const equal = comparison === null || comparison.different + comparison.unsettled === 0;
    const switched = switchWhen === 'always' || (switchWhen === 'equal' && equal);
    claimed.signal.throwIfAborted();
    if (switched) {
      await movePointer(context, name, owner, clock().getTime() + GRACE);
      await seal(documents, live);
    } else await release(context, name, owner);
    const report = { projection: name, from: brief(live), to: brief(fresh), comparison, switched };
    logger.info(report, 'rebuilt projection');
    return report;
  } catch (error) {
    await release(context, name, owner).catch((reason: unknown) =>
      logger.warn({ projection: name, error: reason }, 'left a half-built generation to the reaper'),
    );
    throw error instanceof CheckpointMoved ? new RebuildSuperseded(name) : error;
  } finally {
    claimed.end();
  }
}

/** Waits for both, also when one fails: what is cleaned up then is no longer worked on. */
async function together<A, B>(a: A, b: B): Promise<[Awaited<A>, Awaited<B>]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

const isBegun = async (documents: Documents, generation: Generation): Promise<boolean> =>
  [...(await reachOf(documents, generation)).values()].some(({ seen }) => seen >= 0);

const brief = ({ version, generation }: Generation) => ({ version, generation });

/** Passes from where the last one ended to what is there by now. */
function passesOver(
  context: Context,
  projection: Projection,
  generation: number,
  claimed: Keeping,
  onProgress?: OnProgress,
) {
  const report: OnProgress = progress => {
    claimed.report(progress);
    onProgress?.(progress);
  };
  const once = (): Promise<void> => fill(context, projection, generation, claimed.signal, report);
  /** Until one is so short that hardly anything can have come meanwhile. */
  const untilShort = async (): Promise<void> => {
    for (let took = Infinity; took > SHORT_PASS;) {
      const began = performance.now();
      await once();
      took = performance.now() - began;
    }
  };
  return { once, untilShort };
}
