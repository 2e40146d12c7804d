import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../contracts/json/json';
import type { EventStore, NewEvent, RecordedEvent } from '../../../contracts/ports/event-store';
import type { Harness } from '../harness';

export type EventStoreHarness = Harness<EventStore>;

/** A category that no other test has. */
export function newCategory(): string {
  return `c${randomUUID().replaceAll('-', '')}`;
}

export function newStream(): string {
  return `${newCategory()}-1`;
}

export function event(data: JsonObject = {}, type = 'happened'): NewEvent {
  return {
    id: randomUUID(),
    type,
    data,
  };
}

export function events(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, n) => event({ n }));
}

export function idsOf(list: readonly { readonly id: string }[]): string[] {
  return list.map(({ id }) => id);
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export async function streamIds(store: EventStore, stream: string): Promise<string[]> {
  return idsOf(await collect(store.readStream(stream)));
}

export async function collectBatches(
  batches: AsyncIterable<readonly RecordedEvent[]>,
): Promise<RecordedEvent[]> {
  return (await collect(batches)).flat();
}
