import { validate } from 'uuid';
import { z } from 'zod';
import type { JsonObject } from '../json/json';
import { eventId } from './event-id';
import { eventFamily, eventType, UnreadableEvent, type EventOf } from './event-type';

/** Version 1 had one `name`, version 2 had `first` and `last`, version 3 has an array. */
const renamed = eventType({
  name: 'Renamed',
  version: 3,
  schema: z.object({ names: z.array(z.string()) }),
  upcasts: {
    1: ({ name }) => ({ first: String(name).split(' ')[0]!, last: String(name).split(' ')[1]! }),
    2: ({ first, last }) => ({ names: [first!, last!] }),
  },
});
const removed = eventType({ name: 'Removed', schema: z.object({}) });
const events = eventFamily(renamed, removed);

const stored = (type: string, data: JsonObject, metadata: JsonObject) => ({
  type,
  data,
  metadata,
  position: 7,
});

describe('an event type', () => {
  it('upcasts every version to the latest', () => {
    const latest = { names: ['Ada', 'Lovelace'] };
    expect(events.read(stored('Renamed', { name: 'Ada Lovelace' }, { v: 1 }))).toMatchObject({
      data: latest,
    });
    expect(events.read(stored('Renamed', { name: 'Ada Lovelace' }, {}))).toMatchObject({ data: latest });
    expect(events.read(stored('Renamed', { first: 'Ada', last: 'Lovelace' }, { v: 2 })).data).toEqual(latest);
    expect(events.read(stored('Renamed', latest, { v: 3 }))).toMatchObject({ data: latest, position: 7 });
  });

  it('does not copy an event that is current', () => {
    const current = stored('Renamed', { names: [] }, { v: 3 });
    expect(events.read(current)).toBe(current);
  });

  it('writes the version with the event, and throws for data of another shape', () => {
    const event: EventOf<typeof renamed> = { type: 'Renamed', data: { names: ['Ada'] } };
    expect(events.write(event, 'id', { actor: 'ann' })).toEqual({
      id: 'id',
      ...event,
      metadata: { actor: 'ann', v: 3 },
    });
    const wrong = { type: 'Renamed', data: { names: 'Ada' } } as unknown as typeof event;
    expect(() => events.write(wrong, 'id', {})).toThrow(z.ZodError);
  });

  it('throws for a version or type that it does not know', () => {
    expect(() => events.read(stored('Renamed', {}, { v: 4 }))).toThrow(UnreadableEvent);
    expect(() => events.read(stored('Merged', {}, { v: 1 }))).toThrow(UnreadableEvent);
  });

  it.each([
    ['a missing version', 3, { 1: (data: JsonObject) => data }],
    ['a step from the current version', 2, { 1: (data: JsonObject) => data, 2: (data: JsonObject) => data }],
    ['an invalid version', 0, {}],
  ])('cannot be declared with %s in its upcasts', (_, version, upcasts) => {
    expect(() => eventType({ name: 'Broken', version, schema: z.object({}), upcasts })).toThrow(/Broken/);
  });

  it('cannot be listed twice', () => {
    expect(() => eventFamily(removed, removed)).toThrow();
  });
});

describe('the id of an event', () => {
  it('is a UUID, the same only for the same index, stream and command', () => {
    const id = eventId('c-1', 'bank-1', 0);
    expect(validate(id)).toBe(true);
    expect(eventId('c-1', 'bank-1', 0)).toBe(id);
    const others = [eventId('c-1', 'bank-1', 1), eventId('c-1', 'bank-2', 0), eventId('c-2', 'bank-1', 0)];
    expect(new Set([id, ...others]).size).toBe(4);
  });
});
