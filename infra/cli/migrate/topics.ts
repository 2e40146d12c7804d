import { copyOf } from '../../../contracts/chain/removed-documents';
import type { Log } from '../../../contracts/ports/log';
import { TargetNotEmpty, type CopyTask } from './copy-task';

/**
 * Copies one partition, each message once: what was published after the progress was last stored is the growth of the
 * partition since then. The target must have the same number of partitions, so that each key keeps its own.
 * @throws TargetNotEmpty
 */
export async function copyPartition(
  { from, to, progress, signal, onProgress }: CopyTask<Log>,
  topic: string,
  partition: number,
): Promise<void> {
  const ends = await to.endOffsets(topic);
  let end = ends[partition]!;
  const stored = (await progress.load()) ?? (await begin());
  let skip = end - stored['end']!;
  let copied = stored['copied']!;
  for await (const batch of from.read({ topic, partition, from: stored['next']!, follow: false })) {
    signal.throwIfAborted();
    const messages = batch.messages.slice(skip);
    skip -= batch.messages.length - messages.length;
    if (messages.length > 0) await to.publish(topic, messages.map(copyOf));
    end += messages.length;
    copied += batch.messages.length;
    await progress.store({ next: batch.nextOffset, end: end - skip, copied });
    onProgress(copied);
  }

  async function begin(): Promise<Readonly<Record<string, number>>> {
    if (end > 0)
      throw new TargetNotEmpty(
        `partition ${partition} of the target's topic ${topic} holds messages already`,
      );
    const start = { next: 0, end: 0, copied: 0 };
    await progress.store(start);
    return start;
  }
}
