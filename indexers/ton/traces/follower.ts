import type { Logger } from 'pino';
import type { TonNetwork } from '../../../contracts/network/network';
import type { Documents, Write } from '../../../contracts/ports/documents';
import type { Publishable } from '../publisher';
import type { FetchedBlock } from '../reconcile';
import type { LogRecord } from '../records';
import type { TonSource } from '../source';
import type { VerifyContracts } from '../verify-contracts';
import { blockReader } from './block-reader';
import { continueTraces, type Step } from './continue-traces';
import { forgottenReceivers } from './forgotten-receivers';
import { beginsTrace, nodeOfRecord } from './node';
import { messageOf, openMessages, traceMessage } from './open-trace';
import { loadOpenTracesOf } from './open-traces';
import { verifyTrace } from './verify-trace';

/** Masterchain blocks after which a trace is abandoned: ten minutes at 2.5 blocks a second. */
const MAX_AGE_BLOCKS = 1_500;
/** Masterchain blocks after which an account that could not be read is tried again, at most. */
const MAX_RETRY_BLOCKS = 128;

export interface FollowerDeps {
  readonly network: TonNetwork;
  readonly source: TonSource;
  readonly verify: VerifyContracts;
  readonly documents: Documents;
  readonly logger: Logger;
  /** Masterchain blocks after which a trace is abandoned; default: ten minutes of the main network. */
  readonly maxTraceAge?: number;
}

/** Follows the traces of the transactions that the tail publishes, through the blocks. */
export interface TraceFollower {
  /**
   * Continues all traces by a block, reading the transactions of other accounts where a trace needs them. One that cannot
   * be read does not stop the tail: it is tried again.
   * @param chain what the block adds to the chains of followed accounts
   * @returns the chain with the traces to publish; a trace comes after its transaction and before what returned in it
   */
  follow(block: FetchedBlock, chain: readonly LogRecord[], signal: AbortSignal): Promise<Publishable[]>;
  /** What changed since the last commit, to be stored in the commit of the cursor. */
  writes(): Write[];
  committed(): void;
}

/** Accounts that could not be read, and in which block each is tried again: sooner at first, then after ever more blocks. */
function unreadAccounts() {
  const accounts = new Map<string, { failures: number; retryAt: number }>();
  return {
    due: (seqno: number): string[] =>
      [...accounts].filter(([, { retryAt }]) => retryAt <= seqno).map(([account]) => account),
    failed(account: string, seqno: number): void {
      const failures = (accounts.get(account)?.failures ?? 0) + 1;
      accounts.set(account, { failures, retryAt: seqno + Math.min(2 ** (failures - 1), MAX_RETRY_BLOCKS) });
    },
    /** No trace waits for it any more, or it was read. */
    forget: (account: string): void => void accounts.delete(account),
  };
}

/** Places the traces among the records of the block. */
function withTraces(
  chain: readonly LogRecord[],
  traces: readonly { readonly entry: Publishable; readonly before: string | null }[],
): Publishable[] {
  const waiting = new Map<string, Publishable[]>();
  const last: Publishable[] = [];
  for (const { entry, before } of traces)
    if (before === null) last.push(entry);
    else waiting.set(before, [...(waiting.get(before) ?? []), entry]);
  const placed = chain.flatMap(record => {
    const at = placeOf(record);
    const here = waiting.get(at) ?? [];
    waiting.delete(at);
    return [...here, record];
  });
  return [...placed, ...[...waiting.values()].flat(), ...last];
}

const placeOf = ({ account, lt }: { account: string; lt: string }): string => `${account}/${lt}`;

/** The follower as of the stored cursor. */
export async function loadTraceFollower(deps: FollowerDeps): Promise<TraceFollower> {
  const { network, documents, maxTraceAge = MAX_AGE_BLOCKS } = deps;
  const traces = await loadOpenTracesOf(network, documents);
  const { awaited } = traces;
  const unread = unreadAccounts();
  const findForgotten = forgottenReceivers(deps.source);

  return {
    async follow(block, chain, signal) {
      const { seqno } = block.block;
      const step: Step = { affected: new Set(), returned: new Map() };
      const old = new Set(traces.begunBy(seqno - maxTraceAge));
      for (const record of chain)
        if (beginsTrace(record)) step.affected.add(traces.begin(nodeOfRecord(record)!, seqno));
      const reader = blockReader({ ...deps, findForgotten }, block, chain);
      const ofOld = [...old].flatMap(openMessages).map(message => messageOf(message).dest);
      for (const account of [...ofOld, ...unread.due(seqno)]) reader.search(account);
      for (const [account, wasRead] of await continueTraces(traces, reader, step, signal))
        if (!wasRead) unread.failed(account, seqno);
        else if (reader.isSearched(account)) unread.forget(account);
      for (const account of unread.due(seqno)) if (!awaited.has(account)) unread.forget(account);

      const ended = [...new Set([...old, ...step.affected])];
      const verified = await Promise.all(ended.map(trace => verifyTrace(trace, deps.verify, seqno)));
      const published = ended.flatMap((trace, at) => {
        const isOpen = openMessages(trace).length > 0 && !old.has(trace);
        const returned = step.returned.get(trace);
        if (!isOpen) traces.end(trace);
        else if (returned === undefined) return [];
        const message = traceMessage(network, trace, isOpen ? 'open' : 'abandoned', verified[at]);
        const before = returned === undefined ? null : placeOf({ account: trace.account, lt: returned });
        return [{ entry: { dead: null, message }, before }];
      });
      return withTraces(chain, published);
    },
    writes: traces.writes,
    committed: traces.committed,
  };
}
