import type { TraceMessage } from '../../../contracts/chain/ton-trace';
import type { JsonObject } from '../../../contracts/json/json';
import type { TonNetwork } from '../../../contracts/network/network';
import type { CollectionSpec, Document, Documents, Write } from '../../../contracts/ports/documents';
import { accountId } from '../account-heads';
import type { OpenTrace } from './open-trace';

/** One document for each trace that the tail follows, stored in the commits of the cursor. */
export const OPEN_TRACES: CollectionSpec = {
  name: 'indexer_ton_open_traces',
  indexes: [
    {
      fields: [
        ['network', 'asc'],
        ['startedAt', 'asc'],
      ],
    },
  ],
};

/** A trace and the masterchain block in which it began. */
export interface FollowedTrace extends OpenTrace {
  readonly startedAt: number;
}

type TraceDocument = Document & {
  network: TonNetwork;
  startedAt: number;
  account: string;
  lt: string;
  hash: string;
  begunAt: number;
  messages: (TraceMessage & JsonObject)[];
  cut: boolean;
};

export function traceId(network: TonNetwork, { account, lt }: { account: string; lt: string }): string {
  return `${accountId(network, account)}/${lt}`;
}

/** The traces that were open at the cursor, oldest first. */
export async function loadOpenTraces(documents: Documents, network: TonNetwork): Promise<FollowedTrace[]> {
  const traces: FollowedTrace[] = [];
  const query = { filter: { network }, order: [['startedAt', 'asc']] as const, limit: 200 };
  for await (const page of documents.scan<TraceDocument>(OPEN_TRACES.name, query))
    for (const { startedAt, account, lt, hash, begunAt, messages, cut } of page)
      traces.push({ startedAt, account, lt, hash, begunAt, messages: [...messages], cut });
  return traces;
}

export function traceWrite(network: TonNetwork, trace: FollowedTrace): Write {
  const id = traceId(network, trace);
  const { startedAt, account, lt, hash, begunAt, cut } = trace;
  const messages = trace.messages.map(message => ({ ...message })) as TraceDocument['messages'];
  const document: TraceDocument = {
    _id: id,
    network,
    startedAt,
    account,
    lt,
    hash,
    begunAt,
    messages,
    cut,
  };
  return { collection: OPEN_TRACES.name, id, document };
}

export function traceDeletion(network: TonNetwork, trace: FollowedTrace): Write {
  return { collection: OPEN_TRACES.name, id: traceId(network, trace), document: null };
}
