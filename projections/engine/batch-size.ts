import type { Entries, Entry, TouchedInput } from './fold';

/** Documents of one commit, which is one transaction: about as many as MongoDB writes in seconds. Those of an input stay together. */
export const MAX_COMMIT_DOCUMENTS = 10_000;

/** Of the documents of one commit, roughly: what MongoDB stores of a transaction in one entry of its oplog. */
export const MAX_COMMIT_BYTES = 16 * 1024 * 1024;

const SCALAR_BYTES = 8;

/** @param share of the maximum */
export function isFull(batch: Entries, share: number): boolean {
  let documents = 0;
  for (const byId of batch.values()) documents += byId.size;
  return documents >= MAX_COMMIT_DOCUMENTS * share;
}

/** Roughly what a value takes as BSON. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return SCALAR_BYTES;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let bytes = SCALAR_BYTES;
  if (Array.isArray(value)) for (const item of value) bytes += bytesOf(item);
  else for (const name in value) bytes += name.length + bytesOf((value as Record<string, unknown>)[name]);
  return bytes;
}

/** Of its document, measured once. */
function measured(entry: Entry): number {
  const { document } = entry;
  if (document === null) return 0;
  if (entry.measured?.document !== document) entry.measured = { document, bytes: bytesOf(document) };
  return entry.measured.bytes;
}

/**
 * The first of the inputs, as many as change documents of a share of `MAX_COMMIT_BYTES` together with what has changed in the batch; at
 * least one where nothing has. A new document is taken to be as large as the input that creates it.
 */
export function fitting<Input>(
  batch: Entries,
  inputs: readonly TouchedInput<Input>[],
  share: number,
): readonly TouchedInput<Input>[] {
  const counted = new Set<Entry>();
  let bytes = 0;
  for (const byId of batch.values())
    for (const entry of byId.values()) {
      if (!entry.changed) continue;
      counted.add(entry);
      bytes += measured(entry);
    }
  for (const [at, { input, entries }] of inputs.entries()) {
    let added = 0;
    for (const entry of entries) {
      if (counted.has(entry)) continue;
      counted.add(entry);
      added += measured(entry) || bytesOf(input);
    }
    if (bytes > 0 && bytes + added > MAX_COMMIT_BYTES * share) return inputs.slice(0, at);
    bytes += added;
  }
  return inputs;
}
