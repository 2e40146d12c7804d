import type { JsonObject } from '../../contracts/json';

/** The data of an event as a store holds it, in the shape of version `v`. */
export interface Sample {
  readonly v: number;
  readonly data: JsonObject;
  /** The data after upcasting, when the latest version has another shape. */
  readonly latest?: JsonObject;
}

/** By the name of the event type. Never edited once released, only added to: stores hold such events for ever. */
export type Samples = Readonly<Record<string, readonly Sample[]>>;
