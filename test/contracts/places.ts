import { randomUUID } from 'node:crypto';

/** Opens a client of the store at a place; the same place twice gives two clients of one store. */
export type Open<Port> = (place: string) => Promise<Port>;

export interface Places<Port> {
  /** A store at a new place, with nothing in it. */
  fresh(): Promise<Port>;
  /** Another client of the store opened last. */
  another(): Promise<Port>;
}

/** Closes after each test what the test opened; `before` runs ahead of that. */
export function placesOf<Port extends { close(): Promise<void> }>(
  open: Open<Port>,
  before: () => Promise<unknown> = async () => undefined,
): Places<Port> {
  let place = '';
  let opened: Port[] = [];
  const another = async (): Promise<Port> => {
    const client = await open(place);
    opened.push(client);
    return client;
  };
  afterEach(async () => {
    await before();
    for (const client of opened) await client.close();
    opened = [];
  });
  return {
    fresh: () => {
      place = randomUUID();
      return another();
    },
    another,
  };
}
