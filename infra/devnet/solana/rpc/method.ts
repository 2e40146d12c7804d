import type { z } from 'zod';
import type { Accounts } from '../chain/accounts';
import type { Chain } from '../chain/chain';
import type { Engine } from '../svm/engine';
import type { Faucet } from '../genesis/faucet';
import type { TransactionProcessor } from '../chain/transaction-processor';
import type { Commitment } from '../chain/ledger';
import { slotAt } from '../chain/unfinalized';
import { checkParams, type Outputs } from './check-params';
import { minContextSlotNotReached } from './error';

/** Dependencies of the methods. */
export interface Node {
  readonly chain: Chain;
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly processor: TransactionProcessor;
  readonly faucet: Faucet;
  /** Host and port of the JSON-RPC; null before it is served. */
  rpcAddress(): string | null;
}

/** Serialised JSON. */
export class Json {
  constructor(readonly text: string) {}
}

/** An RPC method. Answers with a value for JSON, of which a bigint becomes a number with all its digits, or with `Json`. */
export interface Method {
  call(node: Node, params: unknown): unknown;
}

/** @param items one schema per parameter, as in `checkParams` */
export function method<const Items extends readonly z.ZodType[]>(
  items: Items,
  answer: (node: Node, ...params: Outputs<Items>) => unknown,
): Method {
  return { call: (node, given) => answer(node, ...checkParams(items, given)) };
}

export interface Context {
  readonly commitment: Commitment;
  readonly minContextSlot?: number | undefined;
}

export const NODE_VERSION = '3.0.0-local';

/** The slot of a commitment. @throws -32016 when it is below `minContextSlot` */
export function contextSlot({ chain }: Node, { commitment, minContextSlot = 0 }: Context): number {
  const slot = slotAt(chain.unfinalized, commitment);
  if (slot < minContextSlot) throw minContextSlotNotReached(slot);
  return slot;
}

/** An answer with the slot it is of. @throws -32016 */
export function withContext(node: Node, context: Context, value: unknown) {
  return {
    context: { apiVersion: NODE_VERSION, slot: contextSlot(node, context) },
    value,
  };
}
