import type { UUID } from '@eventstore/db-client/generated/shared_pb';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { JsonObject } from '../../../../contracts/json/json';
import type { RecordedEvent } from '../../../../contracts/ports/event-store';
import { positionOf } from './positions';
import { readJson } from '../../../../contracts/json/read-json';

export type Recorded = ReadResp.ReadEvent.RecordedEvent;

export function eventOf(response: ReadResp): Recorded | undefined {
  return response.getEvent()?.getEvent();
}

export function streamOf(event: Recorded): string {
  return Buffer.from(event.getStreamIdentifier()!.getStreamName_asU8()).toString();
}

/** Bytes of the data and metadata in a response. */
export function sizeOf(response: ReadResp): number {
  const event = eventOf(response);
  return event ? event.getData_asU8().length + event.getCustomMetadata_asU8().length : 0;
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();

/** Null when it is not a JSON object. */
const parseObject = (bytes: Uint8Array): JsonObject | null => {
  try {
    const value: unknown = readJson(textOf(bytes));
    return typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject | null) : null;
  } catch {
    return null;
  }
};

/** @param ticks of 100 ns since 1970 */
const timeOf = (ticks: string | undefined): string => new Date(Number(ticks ?? 0) / 10_000).toISOString();

/** Requests ask for ids as text. */
const idOf = (id: UUID | undefined): string => id?.getString() ?? '';

/**
 * Null for a tombstone, which only says that its stream was deleted. No adapter of this port writes what is no JSON object: such an
 * event of another program has neither data nor metadata.
 */
export function toRecordedEvent(event: Recorded): RecordedEvent | null {
  const properties = event.getMetadataMap();
  const type = properties.get('type') ?? '';
  if (type === '$streamDeleted') return null;
  const isJson = properties.get('content-type') === 'application/json';
  const data = isJson ? parseObject(event.getData_asU8()) : null;
  const metadata = data && parseObject(event.getCustomMetadata_asU8());
  return {
    id: idOf(event.getId()),
    type,
    data: data ?? {},
    metadata: metadata ?? {},
    stream: streamOf(event),
    revision: Number(event.getStreamRevision()),
    position: positionOf(event),
    created: timeOf(properties.get('created')),
  };
}
