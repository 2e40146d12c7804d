import type { TraceMessage } from '../../../contracts/chain/ton-trace';
import type { TraceNode } from './node';
import { join, messageOf, openMessages, type OpenMessage, type OpenTrace } from './open-trace';

/**
 * Finds the transaction that a message caused; null when it is not there, or beyond a bound.
 * @param sentAt time of the transaction that sent the message, in Unix seconds
 */
export type FindReceiver = (message: TraceMessage, sentAt: number) => Promise<TraceNode | null>;

/**
 * Completes a trace by reading. What is not found stays open.
 * @param begunAt time of the transaction of the trace, in Unix seconds
 */
export async function resolveTrace(trace: OpenTrace, begunAt: number, find: FindReceiver): Promise<void> {
  const resolve = async (open: OpenMessage): Promise<OpenMessage[]> => {
    const message = messageOf(open);
    const parent = message.parent === null ? null : trace.messages[message.parent]!.transaction;
    const caused = await find(message, parent?.time ?? begunAt);
    return caused ? join(open, caused) : [];
  };
  for (let open = openMessages(trace); open.length > 0;) open = (await Promise.all(open.map(resolve))).flat();
}
