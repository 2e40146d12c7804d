import type { JsonObject } from '../../contracts/json/json';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { LogMessage } from '../../contracts/ports/log';

export interface EventInput {
  readonly type: string;
  readonly data: unknown;
  readonly metadata?: JsonObject;
  /** RFC 3339; default: one second after the previous event. */
  readonly created?: string;
}

const START = Date.parse('2026-01-01T00:00:00.000Z');

/** Recorded events, as if appended one after the other. */
export function history(
  ...entries: readonly (readonly [stream: string, event: EventInput])[]
): RecordedEvent[] {
  const revisions = new Map<string, number>();
  return entries.map(([stream, { type, data, metadata = { v: 1 }, created }], position) => {
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    return {
      id: `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`,
      stream,
      revision,
      position,
      type,
      data: data as JsonObject,
      metadata,
      created: created ?? new Date(START + position * 1000).toISOString(),
    };
  });
}

/** Messages as delivered by the log from one partition. */
export function messages(
  topic: string,
  sent: readonly { readonly key: string; readonly value: Buffer | JsonObject }[],
  partition = 0,
): LogMessage[] {
  return sent.map(({ key, value }, offset) => ({
    topic,
    partition,
    offset,
    key,
    value: Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value)),
    headers: {},
    timestamp: START + offset * 1000,
  }));
}
