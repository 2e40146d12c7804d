import { until } from '../../until';
import { openEvents, type Delivered, type EventsOptions, type Reader } from './events';
import type { Bridge } from './request';

/** Whether the bridge has said that all that was waiting has been delivered. */
export function isQueueDone({ frames }: Reader): boolean {
  return frames.some(({ data }) => data === 'queue_done');
}

/** All messages that wait for one or more clients, in the order of their delivery. */
export async function backlog(
  bridge: Bridge,
  ids: string | readonly string[],
  { query, ...options }: EventsOptions = {},
): Promise<readonly Delivered[]> {
  const reader = await openEvents(bridge, ids, {
    ...options,
    query: { ...query, enable_queue_done_event: 'true' },
  });
  try {
    await until(() => isQueueDone(reader));
    return [...reader.messages];
  } finally {
    reader.close();
  }
}

/** The bodies of messages. */
export function bodies(messages: readonly Delivered[]): string[] {
  return messages.map(({ message }) => message);
}

/** Whether the ids of messages grow. */
export function isAscending(messages: readonly Delivered[]): boolean {
  return messages.every(({ id }, index) => index === 0 || id > messages[index - 1]!.id);
}
