import type { Counters } from './counters';
import type { Groups } from './groups';
import type { ReadPartition } from './partition-reader';
import type { ConsumeOptions, LogBatch } from '../../../../contracts/ports/log';
import type { Partition } from './topics';
import { createWorkers } from './workers';
import type { Acknowledgement } from './writer';

export interface ConsumerDeps {
  readonly groups: Groups;
  readonly generations: Counters;
  readonly read: ReadPartition;
  /** False when the partition has gone to another member. */
  acknowledge(acknowledgement: Acknowledgement): Promise<boolean>;
  /** Milliseconds between two renewals of the lease. */
  readonly heartbeat: number;
}

type Handle = (batch: LogBatch) => Promise<void>;

/**
 * One membership of a group: from joining to leaving, or to being given up by the others because the lease was not
 * renewed in time.
 */
const attendGroup = async (
  deps: ConsumerDeps,
  partitions: readonly Partition[],
  options: ConsumeOptions,
  handle: Handle,
): Promise<void> => {
  const { groups, generations, read, acknowledge, heartbeat } = deps;
  const { signal, batchSize = 1000 } = options;
  const { group, member } = await groups.join(options.group, options.topics);
  let wake = (): void => undefined;
  const onAbort = (): void => wake();

  const work = async (partition: Partition, stop: AbortSignal): Promise<void> => {
    const { id, topic, number } = partition;
    try {
      const from = (await options.startAt?.(topic, number)) ?? groups.committed(group, id);
      for await (const batch of read(partition, { from, batchSize, follow: true, signal: stop })) {
        await handle(batch);
        if (!(await acknowledge({ group, partition: id, member, next: batch.next }))) return;
      }
    } finally {
      await groups.release(group, member, id);
    }
  };
  const workers = createWorkers(work, () => wake());

  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted && !workers.failure()) {
      const idle = new AbortController();
      wake = () => idle.abort();
      const standing = await groups.attend(group, member, partitions);
      if (!standing) break;
      workers.follow(standing);
      await generations.beyond(group, standing.generation, { timeout: heartbeat, signal: idle.signal });
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // The batches in hand may take longer than the lease.
    const beat = setInterval(() => void groups.renew(member).catch(() => undefined), heartbeat);
    await workers.stop();
    clearInterval(beat);
    await groups.leave(group, member);
  }
  const failure = workers.failure();
  if (failure) throw failure.error;
};

/** Consumes until the signal; joins anew whenever the membership was lost. */
export async function consume(
  deps: ConsumerDeps,
  partitions: readonly Partition[],
  options: ConsumeOptions,
  handle: Handle,
): Promise<void> {
  while (!options.signal.aborted) await attendGroup(deps, partitions, options, handle);
}
