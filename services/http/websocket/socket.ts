import type { WebSocket } from 'ws';
import type { z } from 'zod';
import type { JsonText } from '../../../contracts/json/json-text';
import { NORMAL } from './close-codes';
import { closedOf, messagesOf } from './messages';
import type { WriteMessage } from './writer';

/** An open WebSocket, as its handler sees it. When the handler returns, the connection is closed. */
export interface Socket<Received, Sent> {
  /** Valid messages of the client, in order; ends with the connection. An invalid one closes it with 1007 or 1008. */
  readonly messages: AsyncIterable<Received>;
  /**
   * Resolves once the message was written to the socket; does nothing on a closed connection. A message that is sent to
   * many and marked by `immutable` becomes a frame once.
   */
  send(message: Sent | JsonText<Sent>): Promise<void>;
  /**
   * Sends messages that replace each other: while one is being written, only the newest of the next ones is kept, so that a
   * slow client has no growing queue. Never throws.
   */
  sendNewest(message: Sent | JsonText<Sent>): void;
  /** @param code 1000, or 4000 to 4999 */
  close(code?: number, reason?: string): void;
  /** Resolves once the connection is closed: for a handler that reads no messages, or no more of them. */
  closed(): Promise<void>;
}

/** @param fail is told why one of the messages that replace each other could not be sent */
export function socketOf(
  client: WebSocket,
  write: WriteMessage,
  received: z.ZodType | undefined,
  fail: (error: unknown) => void,
): Socket<unknown, unknown> {
  let isWriting = false;
  let waiting: unknown;
  const onWritten = (): void => {
    isWriting = false;
    if (waiting === undefined) return;
    const next = waiting;
    waiting = undefined;
    sendNewest(next);
  };
  const sendNewest = (message: unknown): void => {
    if (isWriting) return void (waiting = message);
    isWriting = true;
    try {
      write(message, onWritten);
    } catch (error) {
      fail(error);
    }
  };
  return {
    messages: messagesOf(client, received),
    send: message => new Promise(resolve => write(message, () => resolve())),
    sendNewest,
    close: (code = NORMAL, reason) => client.close(code, reason),
    closed: () => closedOf(client),
  };
}
