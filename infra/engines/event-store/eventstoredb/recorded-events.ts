import type { UUID } from '@eventstore/db-client/generated/shared_pb';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { JsonObject } from '../../../../contracts/json/json';
import type { RecordedEvent } from '../../../../contracts/ports/event-store';
import { positionOf } from './positions';
import { readJson } from '../../../../contracts/json/read-json';

type Recorded = ReadResp.ReadEvent.RecordedEvent;

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

/** Null for what no adapter of this port writes: links, tombstones and other data that is not a JSON object. */
export function toRecordedEvent(event: Recorded): RecordedEvent | null {
  const properties = event.getMetadataMap();
  if (properties.get('content-type') !== 'application/json') return null;
  const data = parseObject(event.getData_asU8());
  if (!data) return null;
  const metadata = event.getCustomMetadata_asU8();
  return {
    id: idOf(event.getId()),
    type: properties.get('type') ?? '',
    data,
    metadata: (metadata.length > 0 ? parseObject(metadata) : null) ?? {},
    stream: streamOf(event),
    revision: Number(event.getStreamRevision()),
    position: positionOf(event),
    created: timeOf(properties.get('created')),
  };
}
