import type { Logger } from 'pino';
import type { Documents } from '../../contracts/ports/documents';
import type { Jobs, NewJob } from '../../contracts/ports/jobs';
import type { Log, LogMessage } from '../../contracts/ports/log';
import { retryForever } from '../../contracts/retry/retry';
import { JOB_RETENTION_MS } from './event-reaction';

/** As `Reaction`, for messages of the log. A backfill publishes old transactions late, so use their time, not the log's. */
export interface MessageReaction {
  readonly name: string;
  readonly topics: readonly string[];
  /** Where its very first run starts in a partition. */
  readonly from: 'beginning' | 'now';
  jobs(message: LogMessage): readonly NewJob[] | Promise<readonly NewJob[]>;
}

/** All jobs that follow from what is on the log now, for `reenqueueLostJobs`. */
export async function* jobsOfLog(
  log: Pick<Log, 'endOffsets' | 'read'>,
  reaction: MessageReaction,
): AsyncIterable<NewJob> {
  for (const topic of reaction.topics)
    for (const partition of (await log.endOffsets(topic)).keys())
      for await (const { messages } of log.read({ topic, partition, from: 0, follow: false }))
        for (const message of messages) yield* await reaction.jobs(message);
}

/**
 * Turns messages into jobs until the signal; other runners of the reaction share the partitions. Its position is the
 * offset of its consumer group. Where it began is stored at its first start, so that a `from: 'now'` reaction that stops
 * before its first acknowledgement does not skip what was published since.
 */
export async function runMessageReaction(
  deps: { readonly log: Log; readonly documents: Documents; readonly jobs: Jobs; readonly logger: Logger },
  reaction: MessageReaction,
  signal: AbortSignal,
): Promise<void> {
  const { log, documents, jobs, logger } = deps;
  const group = groupOf(reaction.name);

  const beginning = async (topic: string, partition: number): Promise<number> => {
    const stored = await startOffset(documents, reaction.name, topic, partition);
    if (stored !== null) return stored;
    const at = reaction.from === 'now' ? (await log.endOffsets(topic))[partition]! : 0;
    const name = startCheckpoint(reaction.name, topic, partition);
    const value = { offsets: { [`${topic}/${partition}`]: at } };
    await documents.commit({ writes: [], checkpoint: { name, value, expect: null } });
    return at;
  };

  await retryForever(
    onProgress =>
      log.consume(
        {
          group,
          topics: reaction.topics,
          startAt: async (topic, partition) =>
            Math.max(
              await beginning(topic, partition),
              (await log.committedOffsets(group, topic))[partition]!,
            ),
          signal,
        },
        async ({ messages }) => {
          const found = await Promise.all(messages.map(message => reaction.jobs(message)));
          for (const job of found.flat()) await jobs.add({ keepIdMs: JOB_RETENTION_MS, ...job });
          onProgress();
        },
      ),
    {
      signal,
      onError: error => logger.error({ reaction: reaction.name, err: error }, 'reaction failed, retrying'),
    },
  );
}

const groupOf = (reaction: string): string => `reaction/${reaction}`;

const startCheckpoint = (reaction: string, topic: string, partition: number): string =>
  `${groupOf(reaction)}/${topic}/${partition}`;

async function startOffset(
  documents: Pick<Documents, 'checkpoint'>,
  reaction: string,
  topic: string,
  partition: number,
): Promise<number | null> {
  const stored = await documents.checkpoint(startCheckpoint(reaction, topic, partition));
  return stored && 'offsets' in stored ? stored.offsets[`${topic}/${partition}`]! : null;
}

/** Where a reaction began, in each partition where it has been started. */
export async function startOffsets(
  { documents, log }: { readonly documents: Documents; readonly log: Pick<Log, 'endOffsets'> },
  { name, topics }: Pick<MessageReaction, 'name' | 'topics'>,
): Promise<{ readonly topic: string; readonly partition: number; readonly offset: number }[]> {
  const found: { topic: string; partition: number; offset: number }[] = [];
  for (const topic of topics)
    for (const partition of (await log.endOffsets(topic)).keys()) {
      const offset = await startOffset(documents, name, topic, partition);
      if (offset !== null) found.push({ topic, partition, offset });
    }
  return found;
}

/** Sets the offsets that are beyond the end of their partition to that end. */
export async function lowerStartOffsets(
  engines: { readonly documents: Documents; readonly log: Pick<Log, 'endOffsets'> },
  reaction: Pick<MessageReaction, 'name' | 'topics'>,
): Promise<void> {
  for (const { topic, partition, offset } of await startOffsets(engines, reaction)) {
    const end = (await engines.log.endOffsets(topic))[partition]!;
    if (offset <= end) continue;
    const value = { offsets: { [`${topic}/${partition}`]: end } };
    const name = startCheckpoint(reaction.name, topic, partition);
    await engines.documents.commit({ writes: [], checkpoint: { name, value } });
  }
}
