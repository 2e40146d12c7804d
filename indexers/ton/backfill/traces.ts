import { setTimeout as sleep } from 'node:timers/promises';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../../contracts/network/network';
import { concurrentMap } from '../../concurrent-map';
import type { Publishable } from '../publisher';
import type { LogRecord } from '../records';
import { SourceError, type TonSource } from '../source';
import { forgottenReceivers } from '../traces/forgotten-receivers';
import { beginsTrace, nodeOfRecord, traceNode, type TraceNode } from '../traces/node';
import { messageOf, openMessages, openTrace, traceMessage, type OpenTrace } from '../traces/open-trace';
import { receivers } from '../traces/receivers';
import { resolveTrace, type FindReceiver } from '../traces/resolve';
import { verifyTrace } from '../traces/verify-trace';
import { readChain } from '../transaction-chain';
import type { VerifyContracts } from '../verify-contracts';

/** Pages of 20 transactions read of each receiver; one whose later history is longer leaves the trace abandoned. */
const MAX_RECEIVER_PAGES = 20;
const CONCURRENCY = 16;
/** Messages are delivered within seconds: a trace younger than this is looked at again. */
const RECENT_SECONDS = 60;
const MAX_ATTEMPTS = 30;

export interface TracingDeps {
  readonly network: TonNetwork;
  readonly source: TonSource;
  readonly verify: VerifyContracts;
  /** Milliseconds since the epoch; default: the clock. */
  readonly now?: () => number;
  /** Milliseconds before a recent trace is looked at again; default 1,000. */
  readonly traceRetryMs?: number;
}

/** The traces of an account's transactions, which are given in pages, newest first. */
export interface BackfillTraces {
  ofPage(records: readonly LogRecord[], signal: AbortSignal): Promise<TracesOfPage>;
}

interface TracesOfPage {
  readonly resolved: readonly Publishable[];
  /** Waits for those that are still being delivered, for a while. */
  inDelivery(signal: AbortSignal): Promise<readonly Publishable[]>;
}

const NO_TRACES: TracesOfPage = { resolved: [], inDelivery: async () => [] };

/**
 * @param above where pages that were given to an earlier job began, and what follows them: transactions of those pages may
 *   have been caused by older ones
 */
export function backfillTraces(
  deps: TracingDeps,
  account: string,
  above: { readonly from: TransactionRef; readonly to: TransactionRef } | null,
): BackfillTraces {
  const { network, source, now = Date.now, traceRetryMs = 1_000 } = deps;
  /** The account's own transactions by the message that caused them. */
  const own = new Map<string, TraceNode>();
  const addOwn = (node: TraceNode | null): void => {
    if (node && node.received !== null) own.set(node.received, node);
  };

  async function readAbove(stop: AbortSignal): Promise<void> {
    if (!above) return;
    for await (const links of readChain(source, account, above.from, stop)) {
      for (const { cell } of links) addOwn(traceNode(account, cell));
      if (BigInt(links.at(-1)!.header.prev.lt) <= BigInt(above.to.lt)) return;
    }
  }

  async function finder(stop: AbortSignal): Promise<FindReceiver> {
    const seqno = await source.tip(stop);
    const read = receivers({ source, maxPages: MAX_RECEIVER_PAGES, seqno });
    const findForgotten = forgottenReceivers(source);
    return async open => {
      const { dest, hash, createdLt } = messageOf(open);
      const known = dest === account ? own.get(hash) : undefined;
      if (known) return known;
      try {
        const { nodes, isWhole } = await read(dest, createdLt, stop);
        const found = nodes.find(({ received }) => received === hash) ?? null;
        return found ?? (isWhole ? await findForgotten(open, seqno, stop) : null);
      } catch (error) {
        stop.throwIfAborted();
        if (!(error instanceof SourceError)) throw error;
        await source.tip(stop); // throws unless only this account cannot be read
        return null;
      }
    };
  }

  async function resolve(traces: readonly OpenTrace[], find: FindReceiver): Promise<void> {
    for await (const _ of concurrentMap(traces, CONCURRENCY, trace => resolveTrace(trace, find)));
  }

  let first: Promise<FindReceiver> | undefined;
  const firstFinder = async (stop: AbortSignal): Promise<FindReceiver> => {
    await readAbove(stop);
    return finder(stop);
  };
  const isInDelivery = (trace: OpenTrace): boolean =>
    openMessages(trace).length > 0 && trace.begunAt > now() / 1_000 - RECENT_SECONDS;
  const publishable = async (trace: OpenTrace): Promise<Publishable> => {
    const verified = await verifyTrace(trace, deps.verify, null);
    return { dead: null, message: traceMessage(network, trace, 'abandoned', verified) };
  };

  return {
    async ofPage(records, stop) {
      for (const record of records) addOwn(nodeOfRecord(record));
      const roots = records.filter(beginsTrace);
      if (roots.length === 0) return NO_TRACES;
      const traces = roots.map(record => openTrace(nodeOfRecord(record)!));
      first ??= firstFinder(stop);
      await resolve(traces, await first);
      const late = traces.filter(isInDelivery);
      return {
        resolved: await Promise.all(traces.filter(trace => !late.includes(trace)).map(publishable)),
        async inDelivery(stop) {
          for (let attempt = 1, left = late; left.length > 0 && attempt < MAX_ATTEMPTS; attempt++) {
            await sleep(traceRetryMs, undefined, { signal: stop });
            await resolve(left, await finder(stop));
            left = left.filter(isInDelivery);
          }
          return Promise.all(late.map(publishable));
        },
      };
    },
  };
}
