import type { TonNetwork } from '../../../contracts/network/network';
import type { Documents, Write } from '../../../contracts/ports/documents';
import { loadOpenTraces, traceDeletion, traceId, traceWrite, type FollowedTrace } from './documents';
import type { TraceNode } from './node';
import { openMessageIndex, type OpenMessageIndex } from './open-message-index';
import { openMessages, openTrace } from './open-trace';

/** Open messages of all traces. A trace that would exceed it is abandoned where it begins. */
const MAX_OPEN_MESSAGES = 20_000;

/** The traces that the tail follows: those stored with its cursor, with pending changes. */
export interface OpenTraces {
  readonly awaited: OpenMessageIndex;
  begin(node: TraceNode, seqno: number): FollowedTrace;
  /** Those that began in a block or before it, oldest first. */
  begunBy(seqno: number): FollowedTrace[];
  at(account: string, lt: string): FollowedTrace | undefined;
  changed(trace: FollowedTrace): void;
  end(trace: FollowedTrace): void;
  /** What changed since the last commit, to be stored in the commit of the cursor. */
  writes(): Write[];
  committed(): void;
}

export async function loadOpenTracesOf(network: TonNetwork, documents: Documents): Promise<OpenTraces> {
  const traces = new Map<string, FollowedTrace>();
  const awaited = openMessageIndex();
  const stored = new Set<string>();
  const changes = new Set<FollowedTrace>();
  const idOf = (trace: { account: string; lt: string }): string => traceId(network, trace);

  for (const trace of await loadOpenTraces(documents, network)) {
    traces.set(idOf(trace), trace);
    stored.add(idOf(trace));
    awaited.add(openMessages(trace));
  }

  return {
    awaited,
    begin(node, startedAt) {
      const trace: FollowedTrace = { ...openTrace(node), startedAt };
      if (awaited.size + trace.messages.length > MAX_OPEN_MESSAGES) {
        trace.messages.length = 0;
        trace.cut = true;
      }
      traces.set(idOf(trace), trace);
      awaited.add(openMessages(trace));
      changes.add(trace);
      return trace;
    },
    begunBy(seqno) {
      const begun: FollowedTrace[] = [];
      for (const trace of traces.values()) {
        if (trace.startedAt > seqno) break;
        begun.push(trace);
      }
      return begun;
    },
    at: (account, lt) => traces.get(idOf({ account, lt })),
    changed: trace => void changes.add(trace),
    end(trace) {
      awaited.remove(trace);
      traces.delete(idOf(trace));
      changes.add(trace);
    },
    writes: () =>
      [...changes].flatMap(trace => {
        if (traces.has(idOf(trace))) return [traceWrite(network, trace)];
        return stored.has(idOf(trace)) ? [traceDeletion(network, trace)] : [];
      }),
    committed() {
      for (const trace of changes) {
        if (traces.has(idOf(trace))) stored.add(idOf(trace));
        else stored.delete(idOf(trace));
      }
      changes.clear();
    },
  };
}
