import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import type { NewJob } from '../../../../contracts/ports/jobs';
import { addJobs } from './add-jobs';
import type { JobData } from './stored-job';

export interface AddBatcher {
  /** True when it was added, false when its id was taken. */
  add(job: Required<NewJob>): Promise<boolean>;
  /** Resolves when no addition is pending. */
  drained(): Promise<void>;
}

interface PendingAdd {
  readonly job: Required<NewJob>;
  resolve(added: boolean): void;
  reject(error: unknown): void;
}

/** While Redis stores one batch and waits for its disk, the next one is prepared. */
const MAX_BATCH = 16;

/** Batches the jobs that are added in one turn of the event loop. */
export function createAddBatcher(queue: Queue<JobData>): AddBatcher {
  let pending: PendingAdd[] = [];
  const sending = new Set<Promise<void>>();

  const send = async (batch: readonly PendingAdd[]): Promise<void> => {
    try {
      const results = await addJobs(
        queue,
        batch.map(({ job }) => job),
      );
      for (const [i, result] of results.entries())
        if ('added' in result) batch[i]!.resolve(result.added);
        else batch[i]!.reject(result.error);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const sendAll = (): void => {
    const all = pending;
    pending = [];
    for (let from = 0; from < all.length; from += MAX_BATCH) {
      const sent = send(all.slice(from, from + MAX_BATCH)).finally(() => sending.delete(sent));
      sending.add(sent);
    }
  };

  return {
    add: job =>
      new Promise((resolve, reject) => {
        if (pending.length === 0) setImmediate(sendAll);
        pending.push({ job, resolve, reject });
      }),
    drained: async () => {
      do {
        await nextTurn();
        await Promise.all(sending);
      } while (pending.length > 0);
    },
  };
}
