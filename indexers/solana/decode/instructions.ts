import type { EnhancedInstruction } from '../../../contracts/chain/solana-transaction';
import type { RawInstruction, RawTransaction } from '../raw';

/** An instruction with its accounts resolved. */
export interface Instruction {
  readonly programId: string;
  readonly accounts: readonly string[];
  /** Base58. */
  readonly data: string;
  /** 0 for an instruction of the transaction itself. */
  readonly depth: number;
}

/** Wallets read instructions down to this depth; deeper ones are listed at this depth, after their caller. */
const MAX_DEPTH = 3;

/** All instructions in the order they ran, callers before the instructions they called. */
export function flattenInstructions(raw: RawTransaction, keys: readonly string[]): Instruction[] {
  const accountAt = (index: number): string => {
    const account: unknown = keys[index];
    // Not only undefined: a node may answer with the name of something else that an array has.
    if (typeof account !== 'string') throw new Error(`account index ${index} of ${keys.length} accounts`);
    return account;
  };
  const resolve = ({ programIdIndex, accounts, data }: RawInstruction, depth: number): Instruction => {
    if (typeof data !== 'string') throw new Error('instruction without data');
    return { programId: accountAt(programIdIndex), accounts: accounts.map(accountAt), data, depth };
  };
  const inner = new Map(raw.meta?.innerInstructions?.map(({ index, instructions }) => [index, instructions]));
  const instructions: Instruction[] = [];
  raw.transaction.message.instructions.forEach((instruction, i) => {
    instructions.push(resolve(instruction, 0));
    for (const called of inner.get(i) ?? [])
      instructions.push(resolve(called, Math.max((called.stackHeight ?? 2) - 1, 1)));
  });
  return instructions;
}

/** The tree that wallets read. */
export function instructionTree(instructions: readonly Instruction[]): EnhancedInstruction[] {
  const roots: EnhancedInstruction[] = [];
  const path: EnhancedInstruction[] = [];
  for (const { programId, accounts, data, depth } of instructions) {
    const node: EnhancedInstruction = { accounts: [...accounts], data, programId, innerInstructions: [] };
    const level = Math.min(depth, MAX_DEPTH, path.length);
    if (level === 0) roots.push(node);
    else path[level - 1]!.innerInstructions.push(node);
    path.length = level;
    path.push(node);
  }
  return roots;
}
