import type { Duplex } from 'node:stream';
import { Sender, type WebSocket } from 'ws';
import type { z } from 'zod';
import { isImmutable } from '../../../contracts/http/immutable-response';
import { JsonText } from '../../../contracts/json/json-text';
import type { ConnectionObserver } from '../connections';

// Missing in the types of `ws`.
declare module 'ws' {
  interface FrameOptions {
    readonly fin: boolean;
    readonly rsv1: boolean;
    readonly opcode: number;
    readonly mask: boolean;
    readonly readOnly: boolean;
  }
  class Sender {
    /** The header and the payload of a frame. */
    static frame(payload: Buffer, options: FrameOptions): Buffer[];
  }
}

/** Unsent bytes after which the connection of a client that does not read is terminated. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** @param onWritten called when the message was written to the socket, or cannot be. @throws what the schema throws */
export type WriteMessage = (message: unknown, onWritten?: () => void) => void;

interface SentMessages {
  /** Undefined to validate nothing. */
  readonly schema: z.ZodType | undefined;
  readonly observer: ConnectionObserver | undefined;
}

/**
 * Writes messages while the client is open. The frame of an immutable one goes to the connection as it is, in one system
 * call: without compression `ws` has no frames of its own waiting.
 */
export function writerOf(
  client: WebSocket,
  connection: Duplex,
  { schema, observer }: SentMessages,
  countUnsent: () => void,
): WriteMessage {
  return (message, onWritten) => {
    schema?.parse(message instanceof JsonText ? message.parse() : message);
    if (client.bufferedAmount > MAX_BUFFERED_BYTES) client.terminate();
    if (client.readyState !== client.OPEN) return onWritten?.();
    observer?.sent();
    if (isImmutable(message)) connection.write(frameOf(message), onWritten);
    else client.send(textOf(message), onWritten);
    countUnsent();
  };
}

const textOf = (message: unknown): string =>
  message instanceof JsonText ? message.text : JSON.stringify(message);

const frames = new WeakMap<object, Buffer>();
const TEXT = { fin: true, rsv1: false, opcode: 1, mask: false, readOnly: true } as const;

/** The frame of an immutable message, made on first use. */
function frameOf(message: object): Buffer {
  const known = frames.get(message);
  if (known) return known;
  const frame = Buffer.concat(Sender.frame(Buffer.from(textOf(message)), TEXT));
  frames.set(message, frame);
  return frame;
}
