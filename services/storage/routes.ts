import type { Cell } from '@ton/core';
import { decodeBase64 } from '../../contracts/encoding/base64';
import { storageEntryStream } from '../../contracts/events/storage-entry';
import {
  STORAGE_KEY_WRITES,
  STORAGE_WRITES,
  STORAGE_READS,
  readStorage,
  writeStorage,
} from '../../contracts/http/storage';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { Problem } from '../../contracts/problem/problem';
import { findStorageEntry, STORAGE_ENTRIES } from '../../projections/storage/entries';
import type { Views } from '../../projections/views';
import type { Handle } from '../commands/handle';
import { bind, type Binding } from '../http/binding';
import { RETRY_PLACE_AFTER } from '../callers/caller-place';
import { addressKey } from '../../contracts/http/address-key';
import { limitAddress, limitSubject } from '../http/limits';
import type { WaitLimit } from '../reads/read-until';
import { isOutcomeOf, storageEntryKind, type StorageEntry, type WriteCommand } from './decider';
import { storagePlaceOf, type StoragePlaceDeps } from './place';
import { readCell, writeCell } from './signed-cells';
import { verifySignature } from './verify-signature';

export interface StorageDeps extends StoragePlaceDeps {
  readonly handle: Handle;
  readonly views: Pick<Views, 'count' | 'get' | 'isOutdated' | 'sum' | 'waitForPosition'>;
  /** Opened at the first call. */
  readonly limits: () => Promise<RateLimits>;
  readonly clock: () => Date;
  /** Largest value, in bytes. */
  readonly maxValueBytes: number;
  /** Whether calls need no signature, for entries that were never written with one. */
  readonly unsigned: boolean;
  /** How long a write waits until reads include it. */
  readonly waitMs: number;
  readonly waitLimit: WaitLimit;
}

/** So many bytes of a value count as one write, so that what an address can add is bounded in bytes too. */
const BYTES_PER_WRITE = 4_096;

/** How many writes one of a value of that size counts as. */
export function writesOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / BYTES_PER_WRITE));
}

/**
 * Cloud storage: a value under a key, which the owner of the key writes. Reads are of documents; the stream of the entry
 * decides writes, and is what a write answers with.
 */
export function storageRoutes(deps: StorageDeps): Binding[] {
  const { views, limits, clock, maxValueBytes } = deps;

  /** @returns what the call was signed with; null when it need not be signed. @throws Problem 400, 403 */
  const verified = (
    { signature, time }: { readonly signature?: string | undefined; readonly time?: number | undefined },
    key: Buffer,
    cellOf: (time: number) => Cell,
  ): WriteCommand['signed'] => {
    if (signature !== undefined && time !== undefined) {
      const signed = { key, signature: decodeBase64(signature)!, time, cell: cellOf(time) };
      verifySignature(signed, clock().getTime());
      return { signature, time };
    }
    if (!deps.unsigned) throw signatureRequired('Reads and writes need a signature and a time.');
    return null;
  };

  return [
    bind(readStorage, async call => {
      await limitAddress(await limits(), STORAGE_READS, call);
      const key = decodeBase64(call.body.key)!;
      const signed = verified(call.body, key, time => readCell(key, time));
      const found = await findStorageEntry(views, key.toString('hex'));
      if (found?.signed && !signed)
        throw signatureRequired('The entry was written with a signature, so reads need one too.');
      return { ok: true, value: { seq: found?.seq ?? 0, value: found?.value ?? null } };
    }),

    bind(writeStorage, async call => {
      const { value: text, seq = null } = call.body;
      const [key, value] = [decodeBase64(call.body.key)!, decodeBase64(text)!];
      const writes = writesOf(Math.min(value.length, maxValueBytes));
      await limitAddress(await limits(), STORAGE_WRITES, call, writes);
      if (value.length > maxValueBytes)
        throw Problem.invalid('/body/value', `more than ${maxValueBytes} bytes`, 'too_big');
      // A signed write has a `seq`.
      const signed = verified(call.body, key, time => writeCell(key, value, seq!, time));
      const written = { key: key.toString('hex'), value: text };
      const command: WriteCommand = {
        ...written,
        seq,
        signed,
        ...(await storagePlaceOf(deps, written, call.ip)),
        metadata: { now: clock().toISOString(), actor: 'wallet', requestId: call.requestId },
      };
      await limitSubject(await limits(), STORAGE_KEY_WRITES, command.key, call);
      const current = await write(deps, command, addressKey(call.ip));
      return {
        ok: true,
        updated: isOutcomeOf(command, current),
        current: { seq: current.seq, value: current.value },
      };
    }),
  ];
}

/** @returns the entry as it is now; reads include it by then, unless the projection is far behind. @throws Problem 403, 409, 429 */
async function write(
  { handle, views, waitMs, waitLimit }: StorageDeps,
  command: WriteCommand,
  caller: string,
): Promise<StorageEntry> {
  const stream = storageEntryStream(command.key);
  const outcome = await handle(storageEntryKind, stream, command);
  const { refusal } = outcome;
  if (refusal?.code === 'too_many_storage_keys' || refusal?.code === 'too_many_storage_bytes')
    throw new Problem(refusal.code, refusal.detail, { retryAfter: RETRY_PLACE_AFTER });
  if (refusal) throw Problem.of(refusal);
  const wait = waitLimit.begin(caller);
  try {
    // The write is done, whatever becomes of the wait.
    if (wait)
      await views
        .waitForPosition(STORAGE_ENTRIES.name, outcome.position, waitMs, wait.signal)
        .catch(() => false);
  } finally {
    wait?.end();
  }
  return outcome.state;
}

const signatureRequired = (detail: string): Problem => new Problem('signature_required', detail);
