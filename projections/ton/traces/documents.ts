import type { JettonWallets } from '../../../contracts/chain/ton-jetton';
import type { DepositFees, TonTrace, TraceMessage } from '../../../contracts/chain/ton-trace';
import type { JsonObject } from '../../../contracts/json/json';
import type { CollectionSpec, Document } from '../../../contracts/ports/documents';

/** The place of a transaction in traces of its account. Ids are those of the transactions. */
export type TonTraceDocument = Document & {
  /** What the transaction caused; null while no trace is known. */
  trace: {
    /** Of the transaction. */
    hash: string;
    state: TonTrace['state'];
    decoder: number;
    messages: (TraceMessage & JsonObject)[];
    jettonWallets: JettonWallets & JsonObject;
    depositFees?: DepositFees & JsonObject;
  } | null;
  /** The logical time of the transaction of the same account that caused this one, and the hash of this one. */
  memberOf: { lt: string; hash: string } | null;
};

export const TRACES: CollectionSpec = { name: 'ton_traces', indexes: [] };
