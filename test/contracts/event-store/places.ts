import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../contracts/json';
import type { EventStore, NewEvent, RecordedEvent } from '../../../infra/event-store/port';
import type { Places as PlacesOf } from '../places';

export type Places = PlacesOf<EventStore>;

/** A category that no other test has. */
export const newCategory = (): string => `c${randomUUID().replaceAll('-', '')}`;

export const newStream = (): string => `${newCategory()}-1`;

export const event = (data: JsonObject = {}, type = 'happened'): NewEvent => ({
  id: randomUUID(),
  type,
  data,
});

export const events = (count: number): NewEvent[] => Array.from({ length: count }, (_, n) => event({ n }));

export const idsOf = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);

export const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
};

export const idsIn = async (store: EventStore, stream: string): Promise<string[]> =>
  idsOf(await collect(store.readStream(stream)));

export const flattened = async (batches: AsyncIterable<readonly RecordedEvent[]>): Promise<RecordedEvent[]> =>
  (await collect(batches)).flat();
