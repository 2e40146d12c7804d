import type { Envelope } from '../../contracts/http/tonconnect';
import type { Message } from '../../contracts/ports/mailbox';

/** By the value of `heartbeat`. The legacy one has no data, so that event sources do not dispatch it. */
export const HEARTBEATS = {
  legacy: 'event: heartbeat\n\n',
  message: 'event: message\ndata: heartbeat\n\n',
} as const;

/** Says that the messages that have waited were sent. Without an id, so that a cursor does not move. */
export const QUEUE_DONE = 'event: message\ndata: queue_done\n\n';

/** Of a stored message. */
export interface MessageHeaders {
  readonly traceId: string;
  /** See `sealRequestSource`. */
  readonly requestSource?: string;
}

/** A message as a server-sent event. */
export function eventOf({ id, from, body, headers }: Message): string {
  const { traceId, requestSource } = headers as unknown as MessageHeaders;
  const envelope: Envelope = {
    from,
    message: body,
    trace_id: traceId,
    ...(requestSource !== undefined && { request_source: requestSource }),
  };
  return `event: message\nid: ${id}\ndata: ${JSON.stringify(envelope)}\n\n`;
}
