import type { Consumer } from 'kafkajs';
import { isUnavailable } from '../../../../contracts/engine/engine-unavailable';
import type { ConsumeOptions } from '../../../../contracts/ports/log';
import type { MembershipEnd, GroupMember } from './group-member';
import type { Topic } from './topics';

type Assignment = Readonly<Record<string, readonly number[]>>;

interface Deps extends Pick<GroupMember, 'topics' | 'endOffsets'> {
  readonly startAt: NonNullable<ConsumeOptions['startAt']>;
}

/**
 * Seeks to the offsets of `startAt` after each assignment: the partitions are paused in the same turn, before anything is
 * fetched from them, and resumed one by one.
 */
export function createSeekOnAssign(
  consumer: Consumer,
  { topics, startAt, endOffsets }: Deps,
  ended: AbortSignal,
  end: (reason: MembershipEnd) => void,
): (assignment: Assignment) => Promise<void> {
  const cachedEnds = new Map<string, readonly number[]>();
  let latest: Assignment | null = null;

  /**
   * Without this check kafkajs would silently start at the beginning of the partition. The offset may be newer than the
   * cached ends.
   */
  const isBeyond = async (topic: string, partition: number, offset: number): Promise<boolean> => {
    if (offset <= (cachedEnds.get(topic)?.[partition] ?? -1)) return false;
    cachedEnds.set(topic, await endOffsets(topic));
    return offset > cachedEnds.get(topic)![partition]!;
  };

  const seekPartition = async (
    { name, remote }: Topic,
    partition: number,
    current: Assignment,
  ): Promise<void> => {
    const offset = await startAt(name, partition);
    if (offset !== undefined && (await isBeyond(name, partition, offset)))
      throw new RangeError(`${name}/${partition}: offset ${offset} is beyond the end`);
    if (current !== latest || ended.aborted) return;
    if (offset !== undefined) consumer.seek({ topic: remote, partition, offset: String(offset) });
    consumer.resume([{ topic: remote, partitions: [partition] }]);
  };

  return async assignment => {
    latest = assignment;
    consumer.pause(
      Object.entries(assignment).map(([topic, partitions]) => ({ topic, partitions: [...partitions] })),
    );
    try {
      for (const topic of topics)
        for (const partition of assignment[topic.remote] ?? []) {
          if (assignment !== latest || ended.aborted) return;
          await seekPartition(topic, partition, assignment);
        }
    } catch (error) {
      end({ kind: isUnavailable(error, 'log') ? 'lost' : 'failed', error });
    }
  };
}
