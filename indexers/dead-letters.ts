import type { Log } from '../contracts/ports/log';

/** What is on a topic of dead letters up to its current end, in pages. */
export async function* readDeadLetters(
  log: Log,
  topic: string,
  signal: AbortSignal,
): AsyncGenerator<readonly Buffer[]> {
  const ends = await log.endOffsets(topic);
  for (const partition of ends.keys()) {
    const pages = log.read({ topic, partition, from: 0, follow: false, signal });
    for await (const { messages } of pages) yield messages.map(({ value }) => value);
  }
}
