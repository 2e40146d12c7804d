import type { TraceNode } from './node';
import { join, openMessages, type OpenMessage, type OpenTrace } from './open-trace';

/** Finds the transaction that a message caused; null when it is not there, or beyond a bound. */
export type FindReceiver = (open: OpenMessage) => Promise<TraceNode | null>;

/** Completes a trace by reading. What is not found stays open. */
export async function resolveTrace(trace: OpenTrace, find: FindReceiver): Promise<void> {
  const resolve = async (open: OpenMessage): Promise<OpenMessage[]> => {
    const caused = await find(open);
    return caused ? join(open, caused) : [];
  };
  for (let open = openMessages(trace); open.length > 0;) open = (await Promise.all(open.map(resolve))).flat();
}
