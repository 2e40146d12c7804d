import type { Envelope } from '../../contracts/http/connect/tonconnect';
import type { Message } from '../../contracts/ports/mailbox';
import { Frame } from '../http/event-feed';

/** By the value of `heartbeat`. The legacy one has no data, so that event sources do not dispatch it. */
export const HEARTBEATS = {
  legacy: new Frame('event: heartbeat\n\n'),
  message: new Frame('event: message\ndata: heartbeat\n\n'),
} as const;

/** Says that the messages that have waited were sent. Without an id, so that a cursor does not move. */
export const QUEUE_DONE = new Frame('event: message\ndata: queue_done\n\n');

/** Of a stored message. */
export interface MessageHeaders {
  readonly traceId: string;
  /** See `sealRequestSource`. */
  readonly requestSource?: string;
}

const frames = new WeakMap<Message, Frame>();

/** A message as a server-sent event. One frame serves all streams that get the message. */
export function frameOf(message: Message): Frame {
  const known = frames.get(message);
  if (known) return known;
  const frame = new Frame(eventOf(message));
  frames.set(message, frame);
  return frame;
}

function eventOf({ id, from, body, headers }: Message): string {
  const { traceId, requestSource } = headers as unknown as MessageHeaders;
  const envelope: Envelope = {
    from,
    message: body,
    trace_id: traceId,
    ...(requestSource !== undefined && { request_source: requestSource }),
  };
  return `event: message\nid: ${id}\ndata: ${JSON.stringify(envelope)}\n\n`;
}
