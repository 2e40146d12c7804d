import type { WatchedCounters } from './watched-counters';
import type { ConsumerGroups } from './consumer-groups';
import type { MemberLeases } from './member-leases';
import type { ReadPartition } from './partition-reader';
import type { ConsumeOptions, LogBatch } from '../../../../contracts/ports/log';
import type { Partition } from './topics';
import { createPartitionWorkers } from './partition-workers';
import type { OffsetCommit } from './writer';

export interface ConsumerDeps {
  readonly groups: ConsumerGroups;
  readonly generations: WatchedCounters;
  readonly read: ReadPartition;
  /** False when the partition is no longer assigned to the member. */
  commitOffset(commit: OffsetCommit): Promise<boolean>;
  readonly leases: MemberLeases;
}

type Handle = (batch: LogBatch) => Promise<void>;

/**
 * One membership of a group: from joining to leaving, or until the other members remove it because its lease expired.
 */
const runMembership = async (
  deps: ConsumerDeps,
  partitions: readonly Partition[],
  options: ConsumeOptions,
  handle: Handle,
): Promise<void> => {
  const { groups, generations, read, commitOffset, leases } = deps;
  const { signal, batchSize = 1000 } = options;
  const { group, member } = await groups.join(options.group, options.topics);
  let wake = (): void => undefined;
  const onAbort = (): void => wake();

  const work = async (partition: Partition, stop: AbortSignal): Promise<void> => {
    const { id, topic, number } = partition;
    try {
      const from = (await options.startAt?.(topic, number)) ?? groups.committedOffset(group, id);
      for await (const batch of read(partition, { from, batchSize, follow: true, signal: stop })) {
        await handle(batch);
        if (!(await commitOffset({ group, partition: id, member, nextOffset: batch.nextOffset }))) return;
      }
    } finally {
      await groups.release(group, member, id);
    }
  };
  const workers = createPartitionWorkers(work, () => wake());

  signal.addEventListener('abort', onAbort);
  const endLease = leases.keep(member);
  try {
    while (!signal.aborted && !workers.failure()) {
      const idle = new AbortController();
      wake = () => idle.abort();
      const assignment = await groups.claim(group, member, partitions);
      if (!assignment) break;
      workers.apply(assignment);
      await generations.waitUntilAbove(group, assignment.generation, { signal: idle.signal });
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    await workers.stop();
    endLease();
    await groups.leave(group, member);
  }
  const failure = workers.failure();
  if (failure) throw failure.error;
};

/** Consumes until the signal; joins again whenever the membership was lost. */
export async function consume(
  deps: ConsumerDeps,
  partitions: readonly Partition[],
  options: ConsumeOptions,
  handle: Handle,
): Promise<void> {
  while (!options.signal.aborted) await runMembership(deps, partitions, options, handle);
}
