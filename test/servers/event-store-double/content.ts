import type { JsonObject } from '../../../contracts/json/json';
import { jsonOrNull } from '../../../contracts/json/read-json';

const JSON_TYPE = 'application/json';

/** What the embedded store, which has JSON objects alone, holds for other bytes. */
const BYTES = '$bytes';
const TYPE = '$content-type';

/** @returns what the embedded store holds for the bytes of a client */
export function toStored(bytes: Uint8Array, contentType = JSON_TYPE): JsonObject {
  const value = contentType === JSON_TYPE ? jsonOrNull(Buffer.from(bytes).toString()) : null;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : { [BYTES]: Buffer.from(bytes).toString('base64'), [TYPE]: contentType };
}

/** What the client has sent. */
export function fromStored(content: JsonObject): { readonly bytes: Buffer; readonly contentType: string } {
  const { [BYTES]: bytes, [TYPE]: contentType } = content;
  return typeof bytes === 'string' && typeof contentType === 'string'
    ? { bytes: Buffer.from(bytes, 'base64'), contentType }
    : { bytes: Buffer.from(JSON.stringify(content)), contentType: JSON_TYPE };
}
