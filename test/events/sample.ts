import type { JsonObject } from '../../contracts/json/json';

/** The data of an event as a store holds it, in the shape of version `v`. */
export interface Sample {
  readonly v: number;
  readonly data: JsonObject;
  /** The data after upcasting, if it differs. */
  readonly latest?: JsonObject;
}

/** By the name of the event type. Append-only after a release: stores hold such events forever. */
export type Samples = Readonly<Record<string, readonly Sample[]>>;
