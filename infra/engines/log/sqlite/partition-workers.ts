import type { Assignment } from './consumer-groups';
import type { Partition } from './topics';

/** One worker for each partition that is assigned to a member. */
export interface PartitionWorkers {
  /** Starts workers for new partitions and stops those of revoked ones. */
  apply(assignment: Assignment): void;
  /** Resolves when all workers have ended. */
  stop(): Promise<void>;
  /** The error of the first worker that failed. */
  failure(): { readonly error: unknown } | null;
}

/**
 * @param work handles batches until the signal, then releases the partition
 * @param onEnd called when a worker has ended
 */
export function createPartitionWorkers(
  work: (partition: Partition, stop: AbortSignal) => Promise<void>,
  onEnd: () => void,
): PartitionWorkers {
  const workers = new Map<number, { readonly stop: AbortController; readonly done: Promise<void> }>();
  let failure: { readonly error: unknown } | null = null;

  const run = async (partition: Partition, stop: AbortSignal): Promise<void> => {
    try {
      await work(partition, stop);
    } catch (error) {
      failure ??= { error };
    }
    workers.delete(partition.id);
    onEnd();
  };

  return {
    apply: ({ assigned, revoked }) => {
      for (const { id } of revoked) workers.get(id)?.stop.abort();
      for (const partition of assigned) {
        if (workers.has(partition.id) || revoked.includes(partition)) continue;
        const stop = new AbortController();
        workers.set(partition.id, { stop, done: run(partition, stop.signal) });
      }
    },
    stop: async () => {
      for (const { stop } of workers.values()) stop.abort();
      await Promise.all([...workers.values()].map(({ done }) => done));
    },
    failure: () => failure,
  };
}
