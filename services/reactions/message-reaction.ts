import type { Logger } from 'pino';
import type { Documents } from '../../contracts/ports/documents';
import type { Jobs, NewJob } from '../../contracts/ports/jobs';
import type { Log, LogMessage } from '../../contracts/ports/log';
import { persevere } from '../persevere';
import { REMEMBERED } from './event-reaction';

/** As `Reaction`, for messages of the log. Old transactions arrive late in a backfill: tell them by their own time. */
export interface MessageReaction {
  readonly name: string;
  readonly topics: readonly string[];
  /** Where its first run ever begins in a partition. */
  readonly from: 'beginning' | 'now';
  jobs(message: LogMessage): readonly NewJob[];
}

/** Every job that the reaction asks for by what is on the log now: for `recallJobs`. */
export async function* jobsOfLog(
  log: Pick<Log, 'ends' | 'read'>,
  reaction: MessageReaction,
): AsyncIterable<NewJob> {
  for (const topic of reaction.topics)
    for (const partition of (await log.ends(topic)).keys())
      for await (const { messages } of log.read({ topic, partition, from: 0, follow: false }))
        for (const message of messages) yield* reaction.jobs(message);
}

/**
 * Turns messages into jobs until the signal, partitions shared with other runners of the reaction. How far it is, is the
 * offset of its consumer group; where it began is written down at its first start, so that what comes before its first
 * acknowledgement is not taken for history the next time.
 */
export async function runMessageReaction(
  deps: { readonly log: Log; readonly documents: Documents; readonly jobs: Jobs; readonly logger: Logger },
  reaction: MessageReaction,
  signal: AbortSignal,
): Promise<void> {
  const { log, documents, jobs, logger } = deps;
  const group = `reaction/${reaction.name}`;

  const beginning = async (topic: string, partition: number): Promise<number> => {
    const name = `${group}/${topic}/${partition}`;
    const key = `${topic}/${partition}`;
    const noted = await documents.checkpoint(name);
    if (noted && 'offsets' in noted) return noted.offsets[key]!;
    const at = reaction.from === 'now' ? (await log.ends(topic))[partition]! : 0;
    const value = { offsets: { [key]: at } };
    await documents.commit({ writes: [], checkpoint: { name, value, expect: null } });
    return at;
  };

  await persevere(
    signal,
    onProgress =>
      log.consume(
        {
          group,
          topics: reaction.topics,
          startAt: async (topic, partition) =>
            Math.max(await beginning(topic, partition), (await log.committed(group, topic))[partition]!),
          signal,
        },
        async ({ messages }) => {
          for (const message of messages)
            for (const job of reaction.jobs(message)) await jobs.add({ keep: REMEMBERED, ...job });
          onProgress();
        },
      ),
    error => logger.error({ reaction: reaction.name, error }, 'reaction will retry'),
  );
}
