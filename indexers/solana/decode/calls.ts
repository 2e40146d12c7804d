import type { EnhancedInstruction } from '../../../contracts/chain/solana-transaction';
import type { RawInstruction, RawTransaction } from '../raw';

/** An instruction with its accounts by name. */
export interface Call {
  readonly programId: string;
  readonly accounts: readonly string[];
  /** Base58. */
  readonly data: string;
  /** 0 for what the transaction itself calls. */
  readonly depth: number;
}

/** Wallets read instructions down to this depth; what lies deeper is listed here, beside its caller. */
const DEEPEST = 3;

/** All instructions in the order they ran, callers before what they called. */
export function callsOf(raw: RawTransaction, keys: readonly string[]): Call[] {
  const named = ({ programIdIndex, accounts, data }: RawInstruction, depth: number): Call => {
    const programId = keys[programIdIndex];
    if (programId === undefined)
      throw new Error(`instruction of account ${programIdIndex} of ${keys.length}`);
    return { programId, accounts: accounts.map(i => keys[i]!), data, depth };
  };
  const inner = new Map(raw.meta?.innerInstructions?.map(({ index, instructions }) => [index, instructions]));
  const calls: Call[] = [];
  raw.transaction.message.instructions.forEach((instruction, i) => {
    calls.push(named(instruction, 0));
    for (const call of inner.get(i) ?? []) calls.push(named(call, Math.max((call.stackHeight ?? 2) - 1, 1)));
  });
  return calls;
}

/** The same as the tree that wallets read. */
export function nested(calls: readonly Call[]): EnhancedInstruction[] {
  const roots: EnhancedInstruction[] = [];
  const path: EnhancedInstruction[] = [];
  for (const { programId, accounts, data, depth } of calls) {
    const node: EnhancedInstruction = { accounts: [...accounts], data, programId, innerInstructions: [] };
    const level = Math.min(depth, DEEPEST, path.length);
    if (level === 0) roots.push(node);
    else path[level - 1]!.innerInstructions.push(node);
    path.length = level;
    path.push(node);
  }
  return roots;
}
