import type { Logger } from 'pino';
import { SOLANA_DEAD_LETTERS, SOLANA_TRANSACTIONS } from '../../../contracts/chain/solana';
import type { SolanaNetwork } from '../../../contracts/network';
import type { Documents } from '../../../contracts/ports/documents';
import type { Jobs, NewJob } from '../../../contracts/ports/jobs';
import { solanaAccountKey } from '../account';
import { beginBackfill, mustWait, stepBackfill, type BackfillDeps } from './backfill';
import { BACKFILL_COLLECTIONS, loadProgress, storeProgress, type Progress } from './progress';

/** Pages of one account before another has its turn. */
const TURN = 10;
const LONGEST_PAUSE = 60_000;

const queueOf = (network: SolanaNetwork): string => `solana-backfill-${network}`;

interface Turn {
  readonly network: SolanaNetwork;
  readonly address: string;
  readonly through: number;
  readonly turn: number;
  readonly failures: number;
}

/** A long history is a chain of jobs, each adding the next before it ends: it survives every crash and hogs nothing. */
const jobOf = (data: Turn, delay = 0): NewJob => ({
  queue: queueOf(data.network),
  id: `${solanaAccountKey(data.network, data.address)}/${data.turn}`,
  data: { ...data },
  delay,
  // Each process that dies at it costs an attempt.
  attempts: 1_000,
});

/** The first job of a history, of an account that the tail looks for in every slot after `through`. */
export function backfillJob(network: SolanaNetwork, address: string, through: number): NewJob {
  return jobOf({ network, address, through, turn: 0, failures: 0 });
}

/** Works off the histories asked for, until the signal. */
export async function workSolanaBackfills(
  deps: BackfillDeps & {
    readonly jobs: Jobs;
    readonly documents: Documents;
    readonly logger: Logger;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  await deps.log.declare([SOLANA_TRANSACTIONS, SOLANA_DEAD_LETTERS]);
  await deps.documents.declare(BACKFILL_COLLECTIONS);
  await deps.jobs.work({ queue: queueOf(deps.network), concurrency: 2, signal: deps.signal }, async job => {
    const data = job.data as unknown as Turn;
    const again = (failures: number, delay: number): Promise<boolean> =>
      deps.jobs.add(jobOf({ ...data, turn: data.turn + 1, failures }, delay));
    try {
      const wait = await takeTurn(deps, data, job.signal);
      if (wait !== null) await again(0, wait);
    } catch (error) {
      if (job.signal.aborted) throw error;
      const { address, failures } = data;
      deps.logger.warn({ address, failures, error: String(error) }, 'solana backfill is held up');
      deps.hooks.failed?.(error);
      await again(failures + 1, Math.min(1_000 * 2 ** failures, LONGEST_PAUSE));
    }
  });
}

/** How many milliseconds to pause before the next turn; null when the history is done. */
async function takeTurn(
  deps: BackfillDeps & { readonly documents: Documents },
  { network, address, through }: Turn,
  signal: AbortSignal,
): Promise<number | null> {
  const { documents } = deps;
  const remember = (reached: Progress): Promise<void> => storeProgress(documents, reached);
  let progress = await loadProgress(documents, network, address);
  if (!progress) {
    progress = await beginBackfill(deps, address, through);
    await remember(progress);
  }
  for (let pages = 0; pages < TURN && progress.phase !== 'done'; pages++) {
    signal.throwIfAborted();
    if (await mustWait(deps, progress)) return deps.settling ?? 2_000;
    progress = await stepBackfill(deps, progress, remember);
    await remember(progress);
  }
  return progress.phase === 'done' ? null : 0;
}
