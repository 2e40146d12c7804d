import type { Consumer } from 'kafkajs';
import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
import type { ConsumeOptions } from '../../../../contracts/ports/log';
import type { Ending, Member } from './member';
import type { Topic } from './topics';

type Assignment = Readonly<Record<string, readonly number[]>>;

interface Deps extends Pick<Member, 'topics' | 'ends'> {
  readonly startAt: NonNullable<ConsumeOptions['startAt']>;
}

/**
 * Puts a member where it shall start, each time that partitions were dealt: they are paused in the same turn, before
 * anything is fetched from them, and go on one by one as the answers come.
 */
export function createPlacing(
  consumer: Consumer,
  { topics, startAt, ends }: Deps,
  ended: AbortSignal,
  end: (reason: Ending) => void,
): (assignment: Assignment) => Promise<void> {
  const known = new Map<string, readonly number[]>();
  let latest: Assignment | null = null;

  /**
   * kafkajs would go back to the start of the partition, and tell nobody. The answer may be newer than the ends that
   * are known.
   */
  const isBeyond = async (topic: string, partition: number, offset: number): Promise<boolean> => {
    if (offset <= (known.get(topic)?.[partition] ?? -1)) return false;
    known.set(topic, await ends(topic));
    return offset > known.get(topic)![partition]!;
  };

  const placePartition = async (
    { name, remote }: Topic,
    partition: number,
    mine: Assignment,
  ): Promise<void> => {
    const offset = await startAt(name, partition);
    if (offset !== undefined && (await isBeyond(name, partition, offset)))
      throw new RangeError(`${name}/${partition}: offset ${offset} is beyond the end`);
    if (mine !== latest || ended.aborted) return;
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
          await placePartition(topic, partition, assignment);
        }
    } catch (error) {
      const isAway = error instanceof EngineUnavailable && error.engine === 'log';
      end({ kind: isAway ? 'lost' : 'failed', error });
    }
  };
}
