import { randomUUID } from 'node:crypto';

/** Longer than the limit of any test: a wait that only ends at this time-out fails its test. */
export const NEVER_MS = 600_000;

/** Opens a client of the engine by name; the same name twice gives two clients of the same data. */
export type Open<Port> = (place: string) => Promise<Port>;

export interface Harness<Port> {
  /** A client of a new, empty engine. */
  fresh(): Promise<Port>;
  /** Another client of the engine opened last. */
  another(): Promise<Port>;
}

/** Closes after each test the clients it opened; `beforeClose` runs first. */
export function createHarness<Port extends { close(): Promise<void> }>(
  open: Open<Port>,
  beforeClose: () => Promise<unknown> = async () => undefined,
): Harness<Port> {
  let place = '';
  let opened: Port[] = [];
  const another = async (): Promise<Port> => {
    const client = await open(place);
    opened.push(client);
    return client;
  };
  afterEach(async () => {
    await beforeClose();
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
