import type { RawData, WebSocket } from 'ws';
import type { z } from 'zod';
import { parseJson } from '../../../contracts/json/parse-json';
import { INVALID_DATA, POLICY_VIOLATION } from './close-codes';
import { framesOf, type SocketFrame } from './frames';

/** Unhandled messages of a client after which its socket is paused. */
const MAX_WAITING_MESSAGES = 16;

/**
 * The valid messages of a client from now on. An invalid one closes the connection.
 * @param schema undefined where nothing is expected from the client
 */
export function messagesOf(client: WebSocket, schema: z.ZodType | undefined): AsyncIterable<unknown> {
  if (!schema) return noMessages(client);
  // Subscribed before the handler runs, so that no message is missed.
  return validated(framesOf(client, MAX_WAITING_MESSAGES), client, schema);
}

/** Resolves once the connection of a client is closed. */
export function closedOf(client: WebSocket): Promise<void> {
  if (client.readyState === client.CLOSED) return Promise.resolve();
  return new Promise(resolve => void client.on('close', () => resolve()));
}

/** Frames that nothing listens to are dropped. */
function noMessages(client: WebSocket): AsyncIterable<never> {
  const next = async (): Promise<IteratorReturnResult<undefined>> => {
    await closedOf(client);
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

async function* validated(
  frames: AsyncIterable<SocketFrame>,
  client: WebSocket,
  schema: z.ZodType,
): AsyncIterable<unknown> {
  for await (const [data, isBinary] of frames) {
    const json = isBinary ? undefined : parsed(data);
    if (json === undefined) return client.close(INVALID_DATA, 'not JSON');
    const message = schema.safeParse(json);
    if (!message.success) return client.close(POLICY_VIOLATION, 'invalid message');
    yield message.data;
  }
}

function parsed(data: RawData): unknown {
  try {
    return parseJson(data as Buffer);
  } catch {
    return undefined;
  }
}
