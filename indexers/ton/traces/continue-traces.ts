import type { BlockReader } from './block-reader';
import type { FollowedTrace } from './documents';
import type { TraceNode } from './node';
import { join, messageOf } from './open-trace';
import type { OpenTraces } from './open-traces';

/** What a block did to the traces. */
export interface Step {
  readonly affected: Set<FollowedTrace>;
  /** The first transaction of the account itself that each trace reached. */
  readonly returned: Map<FollowedTrace, string>;
}

/**
 * Joins a transaction to the traces that wait for its message.
 * @returns the accounts that it sent something to in them
 */
function joinNode(
  { awaited, ...traces }: OpenTraces,
  node: TraceNode,
  { affected, returned }: Step,
): string[] {
  const { account, received, transaction } = node;
  if (received === null) return [];
  return awaited.take(account, received).flatMap(message => {
    const { trace } = message;
    const sent = join(message, node);
    awaited.add(sent);
    traces.changed(trace);
    affected.add(trace);
    if (trace.account === account) {
      const first = returned.get(trace);
      if (first === undefined || BigInt(transaction.lt) < BigInt(first)) returned.set(trace, transaction.lt);
      // What returned to the account belongs to this trace, with all that follows from it.
      const own = traces.at(account, transaction.lt);
      if (own) {
        traces.end(own);
        affected.delete(own);
      }
    }
    return sent.map(open => messageOf(open).dest);
  });
}

/**
 * Reads and joins until the block has nothing more that a trace waits for.
 * @returns the accounts that were read, and whether they could be
 */
export async function continueTraces(
  traces: OpenTraces,
  reader: BlockReader,
  step: Step,
  signal: AbortSignal,
): Promise<Map<string, boolean>> {
  const { awaited } = traces;
  const results = new Map<string, boolean>();
  let accounts = new Set([...awaited.receivers].filter(reader.has));
  while (accounts.size > 0) {
    const read = await Promise.all(
      [...accounts].map(async account => {
        const nodes = await reader.read(account, awaited.of(account), signal);
        results.set(account, nodes !== null);
        return [account, nodes ?? []] as const;
      }),
    );
    const next = new Set<string>();
    for (const [account, nodes] of read)
      for (const receiver of nodes.flatMap(node => joinNode(traces, node, step))) {
        if (reader.isSearched(account)) reader.search(receiver);
        next.add(receiver);
      }
    accounts = new Set([...next].filter(account => reader.has(account) && awaited.has(account)));
  }
  return results;
}
