import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of cloud storage, one stream per key. */
export const STORAGE_ENTRY_CATEGORY = 'storageEntry';

/** @param key the Ed25519 public key, in hex */
export function storageEntryStream(key: string): string {
  return `${STORAGE_ENTRY_CATEGORY}-${key}`;
}

/** What a value counts as, in KiB. @param value base64 */
export function countedKibibytes(value: string): number {
  return roundedKibibytes(Buffer.byteLength(value, 'base64') / 1_024);
}

/** 4, or the next power of two, so that a value that grows by little rarely counts as more. */
export function roundedKibibytes(kibibytes: number): number {
  return 2 ** Math.max(2, Math.ceil(Math.log2(kibibytes)));
}

// These types are the storage format.
/** The whole state of the entry: a decision needs no earlier event of the stream. */
const storageEntryWritten = eventType({
  name: 'StorageEntryWritten',
  version: 2,
  schema: z.object({
    /** The Ed25519 public key, in hex. */
    key: z.string(),
    /** Writes of this key so far, this one included. */
    seq: z.int().positive(),
    /** Base64; clients encrypt it. */
    value: z.string(),
    /** What the owner of the key signed this write with, so that anybody can verify it; null for a write without a signature. */
    signed: z
      .object({
        /** Ed25519 over the write cell (`services/storage/signed-cells.ts`), in base64. */
        signature: z.string(),
        /** Unix seconds: the expiry of the signature, which is part of what was signed. */
        time: z.int(),
      })
      .nullable(),
    /** `CallerSource` of the write that began the entry, or made it count as more (`countedKibibytes`), on its day. Null in version 1. */
    source: z.string().nullable(),
    /** RFC 3339 UTC instant with milliseconds. */
    at: z.iso.datetime(),
  }),
  upcasts: { 1: data => ({ ...data, source: null }) },
});
/** Nobody has written it for as long as the operator keeps values: the key is as one that was never written. */
const storageEntryRemoved = eventType({
  name: 'StorageEntryRemoved',
  schema: z.object({ key: z.string(), at: z.iso.datetime() }),
});

export const storageEntryEvents = eventFamily(storageEntryWritten, storageEntryRemoved);
export type StorageEntryWritten = EventOf<typeof storageEntryWritten>;
export type StorageEntryEvent = EventOf<typeof storageEntryWritten | typeof storageEntryRemoved>;
