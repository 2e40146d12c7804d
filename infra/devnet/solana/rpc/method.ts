import type { z } from 'zod';
import type { Accounts } from '../chain/accounts';
import type { Chain } from '../chain/chain';
import type { Engine } from '../svm/engine';
import type { Faucet } from '../genesis/faucet';
import type { Intake } from '../chain/intake';
import type { Commitment } from '../chain/ledger';
import { slotAt } from '../chain/window';
import { checkParams, type Outputs } from './check';
import { minContextSlotNotReached } from './error';

/** What the calls are answered from. */
export interface Node {
  readonly chain: Chain;
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly intake: Intake;
  readonly faucet: Faucet;
}

/** JSON that is ready to send. */
export class Json {
  constructor(readonly text: string) {}
}

/** A call: what it takes, checked, and what it answers with: a value for JSON, or `Json`. */
export interface Method {
  call(node: Node, params: unknown): unknown;
}

/** @param items one schema a parameter, as `checkParams` has it */
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

/** The slot a call is about. @throws -32016 when the caller asks for one that is yet to come */
export function contextSlot({ chain }: Node, { commitment, minContextSlot = 0 }: Context): number {
  const slot = slotAt(chain.window, commitment);
  if (slot < minContextSlot) throw minContextSlotNotReached(slot);
  return slot;
}

/** The answer of a call about a moment of the chain. @throws -32016 */
export function withContext(node: Node, context: Context, value: unknown) {
  return {
    context: { apiVersion: NODE_VERSION, slot: contextSlot(node, context) },
    value,
  };
}
