import type { JsonObject } from '../../contracts/json';

/** The data of an event as a store holds it, in the form of version `v`. */
export interface Sample {
  readonly v: number;
  readonly data: JsonObject;
  /** What it is read as, where a later version has another form. */
  readonly latest?: JsonObject;
}

/** By the name of the event type. Never edited, only added to: stores hold such events for ever. */
export type Samples = Readonly<Record<string, readonly Sample[]>>;
