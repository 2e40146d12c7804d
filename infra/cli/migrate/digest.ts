import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../contracts/json/canonical-json';
import type { EventStore } from '../../../contracts/ports/event-store';
import { withoutValidity } from '../../../contracts/chain/removed-documents';
import type { Log } from '../../../contracts/ports/log';
import { isMigrationCheckpoint } from './ledger-checkpoint';

/** The number of items, and the SHA-256 of all of them in order. */
export interface Digest {
  readonly count: number;
  readonly sha256: string;
}

export type OnProgress = (count: number) => void;

/**
 * All events in their global order, which is that of each stream too: stream, id, type, data and metadata. Not when they were
 * recorded, not their revisions, which begin at 0 again where the first events of a stream are deleted, and not the checkpoints of
 * migrations, of which the target has one more.
 */
export async function digestEvents(store: EventStore, onProgress: OnProgress): Promise<Digest> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const page of store.readAll()) {
    const copied = page.filter(event => !isMigrationCheckpoint(event));
    for (const { stream, id, type, data, metadata } of copied)
      hash.update(canonicalJson([stream, id, type, data, metadata]) + '\n');
    onProgress((count += copied.length));
  }
  return { count, sha256: hash.digest('hex') };
}

/** All messages of a topic, partition by partition: key, headers and value. Not their offsets, which start at 0 again. */
export async function digestTopic(log: Log, topic: string, onProgress: OnProgress): Promise<Digest> {
  const hash = createHash('sha256');
  let count = 0;
  for (const partition of (await log.endOffsets(topic)).keys()) {
    hash.update(`partition ${partition}\n`);
    for await (const { messages } of log.read({ topic, partition, from: 0, follow: false })) {
      for (const { key, headers, value } of messages)
        hash.update(canonicalJson([key, withoutValidity(headers), value.toString('base64')]) + '\n');
      onProgress((count += messages.length));
    }
  }
  return { count, sha256: hash.digest('hex') };
}
