import type { JsonObject } from '../json/json';

/** Turns the data of one version of an event into the data of the next. Pure, and never changed once released. */
export type Upcast = (data: JsonObject) => JsonObject;

/** The upcasts of an event type by the version they start from: `{ 1: from1to2, 2: from2to3 }`. */
export type Upcasts = Readonly<Record<number, Upcast>>;

/** @throws unless there is exactly one upcast from each version before the current one */
export function checkUpcasts(name: string, version: number, upcasts: Upcasts): void {
  if (!Number.isInteger(version) || version < 1) throw new Error(`event type ${name}: version ${version}`);
  for (let from = 1; from < version; from++)
    if (!upcasts[from]) throw new Error(`event type ${name}: no upcast from version ${from} to ${from + 1}`);
  for (const from of Object.keys(upcasts).map(Number))
    if (!(from >= 1 && from < version))
      throw new Error(`event type ${name}: upcast from version ${from}, but the current one is ${version}`);
}

/** Applies the upcasts from the version the data was written in to the current one. */
export function upcast(upcasts: Upcasts, data: JsonObject, from: number, to: number): JsonObject {
  let latest = data;
  for (let version = from; version < to; version++) latest = upcasts[version]!(latest);
  return latest;
}
