import type { z } from 'zod';
import type { DomainEvent } from '../decider';
import type { JsonObject } from '../json/json';
import { checkUpcasts, upcast, type Upcasts } from './upcast';

/**
 * A type of event as data. The schema is the storage format of the current version: once events of it exist, a change
 * of shape is a new version and an upcast from the one before.
 */
export interface EventType<Name extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly name: Name;
  /** Recorded as `v` in the metadata of each event. */
  readonly version: number;
  readonly schema: Schema;
  readonly upcasts: Upcasts;
}

/** The event as deciders and folds use it, always in the latest version. */
export type EventOf<Type> =
  Type extends EventType<infer Name, infer Schema>
    ? { readonly type: Name; readonly data: z.output<Schema> }
    : never;

/** Declares an event type; `version` and `upcasts` are needed from the second version on. @throws when an upcast is missing */
export function eventType<Name extends string, Schema extends z.ZodType>(definition: {
  readonly name: Name;
  readonly schema: Schema;
  readonly version?: number;
  readonly upcasts?: Upcasts;
}): EventType<Name, Schema> {
  const { name, schema, version = 1, upcasts = {} } = definition;
  checkUpcasts(name, version, upcasts);
  return { name, schema, version, upcasts };
}

interface Stored {
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

/** A stored event whose type and data are known, with its other members. */
export type Known<Event extends DomainEvent, Recorded extends Stored> = Event extends DomainEvent
  ? Omit<Recorded, 'type' | 'data'> & Event
  : never;

/** The event types of the streams of one category. */
export interface EventFamily<Event extends DomainEvent> {
  readonly types: readonly EventType[];
  /** The event to append. @throws when the data does not match the schema, which is a bug */
  write(event: Event, id: string, metadata: JsonObject): Stored & { readonly id: string };
  /**
   * The event in its latest version. Stored data is not validated; a current event is returned as it is.
   * @throws UnreadableEvent
   */
  read<Recorded extends Stored>(recorded: Recorded): Known<Event, Recorded>;
}

/** A type or version that this program does not know: written by a newer one, or in the wrong stream. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}

/**
 * The event types of one kind of stream, which are written and read together.
 * @throws Error when two of them have one name
 */
export function eventFamily<const Types extends readonly EventType[]>(
  ...types: Types
): EventFamily<EventOf<Types[number]>> {
  type Event = EventOf<Types[number]>;
  const byName = new Map(types.map(type => [type.name, type]));
  if (byName.size < types.length) throw new Error('an event type is listed twice');

  const known = (name: string) => {
    const type = byName.get(name);
    if (!type) throw new UnreadableEvent(`unknown event type ${name}`);
    return type;
  };

  return {
    types,

    write(event, id, metadata) {
      const { name, version, schema } = known(event.type);
      return {
        id,
        type: name,
        data: schema.parse(event.data) as JsonObject,
        metadata: { ...metadata, v: version },
      };
    },

    read(recorded) {
      const { name, version, upcasts } = known(recorded.type);
      const written = (recorded.metadata['v'] as number | undefined) ?? 1;
      if (written === version) return recorded as unknown as Known<Event, typeof recorded>;
      if (written > version)
        throw new UnreadableEvent(`${name} of version ${written}, known up to ${version}`);
      const data = upcast(upcasts, recorded.data, written, version);
      return { ...recorded, data } as unknown as Known<Event, typeof recorded>;
    },
  };
}
