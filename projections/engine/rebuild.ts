import { v4 } from 'uuid';
import { CheckpointMoved, type Documents } from '../../contracts/ports/documents';
import type { Projection } from '../projection';
import { claim, holdClaim, promote, release, type HeldClaim } from './claim';
import { compare, type Comparison } from './compare';
import type { Context } from './context';
import { catchUp, type OnProgress } from './catch-up';
import { physicalSpecs, partitionProgress, freeze, type Generation } from './generation';
import { RebuildSuperseded } from './rebuild-errors';

export interface RebuildOptions {
  /** Cancels: the partly built generation is removed and the reason of the signal is thrown. */
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress;
  /**
   * Whether to switch to the new generation: `always` (the default), when it is `equal` to the live one, or `never`,
   * which only verifies. A generation that is not switched to is removed.
   */
  readonly switchWhen?: 'always' | 'equal' | 'never';
}

export interface RebuildReport {
  readonly projection: string;
  readonly from: { readonly version: number; readonly generation: number };
  readonly to: { readonly version: number; readonly generation: number };
  /** Null when there is nothing to compare: the versions differ, or the live generation is empty. */
  readonly comparison: Comparison | null;
  readonly switched: boolean;
}

/** How long the previous generation stays for the reads that still use it. */
const READ_GRACE_MS = 60_000;

/**
 * After a pass that is no longer than this, or longer than half of the previous one, the generation is as close to the head as
 * passes bring it: on slow servers a pass over nothing takes longer, and while inputs are added there would be no end.
 */
const SHORT_PASS_MS = 100;

/**
 * Builds a new generation beside the live one, compares the two, and switches.
 *
 * Safe beside the live runner, in this program or another: each generation has its own checkpoints, so the two never
 * write to one place. The switch is a commit that expects the record with the claim of this rebuild; of two rebuilds,
 * or of a rebuild whose claim expired and the next one, one is refused. After the switch the old generation is frozen:
 * the next commit of its runner is refused, the runner reads the record and continues with the new generation from
 * that one's checkpoints, so no input is skipped or folded twice. Reads switch once the new generation has folded as much
 * as the frozen one. A rebuild that crashes leaves a claim that expires and a generation without readers; the next
 * rebuild, or the cleanup of a runner, removes it.
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
  const claimed = holdClaim(context, name, owner, signal);
  const passes = passesOver(context, projection, fresh.generation, claimed, onProgress);
  logger.info({ projection: name, from: idOf(live), to: idOf(fresh) }, 'rebuilding projection');
  try {
    const specs = physicalSpecs(projection.collections, fresh.generation);
    await documents.declare(specs, { deferIndexes: true });
    await passes.runUntilShort();
    // Documents of two versions are expected to differ.
    const comparable = live.version === fresh.version && (await hasStarted(documents, live));
    const indexed = documents.declare(specs);
    const catchUp = (): Promise<void> => indexed.then(passes.run);
    const [comparison] = await bothSettled(
      comparable ? compare({ documents, live, fresh, catchUp }, claimed.signal) : null,
      indexed,
    );
    await passes.runUntilShort();

    const equal = comparison === null || comparison.different + comparison.inconclusive === 0;
    const switched = switchWhen === 'always' || (switchWhen === 'equal' && equal);
    claimed.signal.throwIfAborted();
    if (switched) {
      await promote(context, name, owner, clock().getTime() + READ_GRACE_MS);
      await freeze(documents, live);
    } else await release(context, name, owner);
    const report = { projection: name, from: idOf(live), to: idOf(fresh), comparison, switched };
    logger.info(report, 'rebuilt projection');
    return report;
  } catch (error) {
    await release(context, name, owner).catch((reason: unknown) =>
      logger.warn(
        { projection: name, err: reason },
        'partly built generation not removed, cleanup will retry',
      ),
    );
    throw error instanceof CheckpointMoved ? new RebuildSuperseded(name) : error;
  } finally {
    claimed.end();
  }
}

/** Waits for both also when one fails, so that cleaning up does not race with the other. */
async function bothSettled<A, B>(a: A, b: B): Promise<[Awaited<A>, Awaited<B>]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

const hasStarted = async (documents: Documents, generation: Generation): Promise<boolean> =>
  [...(await partitionProgress(documents, generation)).values()].some(({ seen }) => seen >= 0);

const idOf = ({ version, generation }: Generation) => ({ version, generation });

/** Catches up in passes, each over the inputs added since the previous one. */
function passesOver(
  context: Context,
  projection: Projection,
  generation: number,
  claimed: HeldClaim,
  onProgress?: OnProgress,
) {
  const report: OnProgress = progress => {
    claimed.report(progress);
    onProgress?.(progress);
  };
  const run = (): Promise<void> => catchUp(context, projection, generation, claimed.signal, report);
  const runUntilShort = async (): Promise<void> => {
    let took = Infinity;
    let previous: number;
    do {
      previous = took;
      const began = performance.now();
      await run();
      took = performance.now() - began;
    } while (took > SHORT_PASS_MS && took <= previous / 2);
  };
  return { run, runUntilShort };
}
