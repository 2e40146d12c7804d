import type { Log } from '../../../contracts/ports/log';
import { TargetNotEmpty, type Copying } from './copying';

/**
 * Copies one partition, each message once: what was published after the way was last noted shows in how much longer the
 * partition has become. The target must have the same number of partitions, so that each key keeps its own.
 * @throws TargetNotEmpty
 */
export async function copyPartition(
  { from, to, way, signal, onProgress }: Copying<Log>,
  topic: string,
  partition: number,
): Promise<void> {
  const ends = await to.ends(topic);
  let end = ends[partition]!;
  const noted = (await way.read()) ?? (await begin());
  let skip = end - noted['end']!;
  let copied = noted['copied']!;
  for await (const batch of from.read({ topic, partition, from: noted['next']!, follow: false })) {
    signal.throwIfAborted();
    const messages = batch.messages.slice(skip);
    skip -= batch.messages.length - messages.length;
    if (messages.length > 0) await to.publish(topic, messages);
    end += messages.length;
    copied += batch.messages.length;
    await way.note({ next: batch.next, end: end - skip, copied });
    onProgress(copied);
  }

  async function begin(): Promise<Readonly<Record<string, number>>> {
    if (end > 0)
      throw new TargetNotEmpty(
        `partition ${partition} of the target's topic ${topic} holds messages already`,
      );
    const start = { next: 0, end: 0, copied: 0 };
    await way.note(start);
    return start;
  }
}
