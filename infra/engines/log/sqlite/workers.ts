import type { Standing } from './groups';
import type { Partition } from './topics';

/** One worker for each partition that a member holds. */
export interface Workers {
  /** Starts workers for new partitions and tells those of surplus ones to come to an end. */
  follow(standing: Standing): void;
  /** Resolves when all have come to an end. */
  stop(): Promise<void>;
  /** What the first worker that failed threw. */
  failure(): { readonly error: unknown } | null;
}

/**
 * @param work handles batches until the signal, then gives the partition back
 * @param ended called when a worker has come to an end
 */
export function createWorkers(
  work: (partition: Partition, stop: AbortSignal) => Promise<void>,
  ended: () => void,
): Workers {
  const workers = new Map<number, { readonly stop: AbortController; readonly done: Promise<void> }>();
  let failure: { readonly error: unknown } | null = null;

  const run = async (partition: Partition, stop: AbortSignal): Promise<void> => {
    try {
      await work(partition, stop);
    } catch (error) {
      failure ??= { error };
    }
    workers.delete(partition.id);
    ended();
  };

  return {
    follow: ({ held, surplus }) => {
      for (const { id } of surplus) workers.get(id)?.stop.abort();
      for (const partition of held) {
        if (workers.has(partition.id) || surplus.includes(partition)) continue;
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
