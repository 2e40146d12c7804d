import type { TonTrace } from '../../../contracts/chain/ton-trace';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import { accountKey, type TonNetwork } from '../../../contracts/network/network';
import type { Source } from '../../../contracts/ports/documents';
import type { Views } from '../../views';
import { transactionId } from '../transactions/documents';
import { TRACES, type TonTraceDocument } from './documents';

/** The place of a transaction in traces. */
export interface TracePlace {
  /** Null when the transaction caused nothing, or before it is known what. */
  readonly trace: TonTrace | null;
  /** Logical time of the account's own transaction that caused it, if one did. */
  readonly memberOf: string | null;
}

const placeOf = (document: TonTraceDocument | undefined): TracePlace => ({
  trace: document?.trace ?? null,
  memberOf: document?.memberOf?.lt ?? null,
});

export interface TonTraces {
  /** The places of transactions of an account, in the order of their logical times. */
  places(network: TonNetwork, address: string, lts: readonly string[]): Promise<TracePlace[]>;
  /** Whether a transaction has a place in a trace: once one is known that has it, and until it is taken back. */
  has(network: TonNetwork, address: string, transaction: TransactionRef): Promise<boolean>;
  source(network: TonNetwork, address: string): Source;
}

export function tonTraces(views: Views): TonTraces {
  const key = (network: TonNetwork, address: string): string =>
    accountKey({ chain: 'ton', network, address });
  return {
    async places(network, address, lts) {
      const ids = lts.map(lt => transactionId(key(network, address), lt));
      const found = await views.getMany<TonTraceDocument>(TRACES.name, ids);
      return ids.map(id => placeOf(found.get(id)));
    },
    async has(network, address, { lt, hash }) {
      const id = transactionId(key(network, address), lt);
      const found = await views.get<TonTraceDocument>(TRACES.name, id);
      return found?.trace?.hash === hash || found?.memberOf?.hash === hash;
    },
    source: (network, address) => ({ collection: TRACES.name, part: key(network, address) }),
  };
}
