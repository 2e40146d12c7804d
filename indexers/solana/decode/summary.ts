import type { TokenTransfer } from '../../../contracts/chain/solana-transaction';
import { ASSOCIATED_TOKEN_PROGRAM, EXCHANGES, PLAIN_PROGRAMS, STAKE_PROGRAM } from '../programs';
import { wholeTokens } from './amount';
import type { Instruction } from './instructions';
import type { NativeMovement } from './native-transfers';

interface Summary {
  readonly type: string;
  readonly source: string;
  readonly description: string;
}

const UNKNOWN: Summary = { type: 'UNKNOWN', source: 'UNKNOWN', description: '' };

/** The purpose of a transaction where it is evident; `type` and `source` are those of Helius. */
export function summary(
  instructions: readonly Instruction[],
  native: readonly NativeMovement[],
  tokens: readonly TokenTransfer[],
): Summary {
  const exchange = instructions
    .map(instruction => EXCHANGES.get(instruction.programId))
    .find(name => name !== undefined);
  if (exchange !== undefined) {
    const swap = new Set(tokens.map(transfer => transfer.mint)).size > 1;
    return { ...UNKNOWN, type: swap ? 'SWAP' : 'UNKNOWN', source: exchange };
  }
  if (instructions.some(instruction => instruction.depth === 0 && instruction.programId === STAKE_PROGRAM))
    return { ...UNKNOWN, source: 'STAKE_PROGRAM' };
  if (!instructions.every(instruction => PLAIN_PROGRAMS.has(instruction.programId))) return UNKNOWN;
  return tokens.length > 0 ? ofTokens(tokens) : ofLamports(instructions, native);
}

function ofTokens(transfers: readonly TokenTransfer[]): Summary {
  const source = 'SOLANA_PROGRAM_LIBRARY';
  const moved = transfers.find(({ fromTokenAccount, toTokenAccount }) => fromTokenAccount && toTokenAccount);
  const { fromUserAccount, toUserAccount, rawAmount, tokenAmount, mint } = moved ?? transfers[0]!;
  const amount = Number.isSafeInteger(Number(rawAmount)) ? tokenAmount : `${rawAmount} units`;
  if (moved)
    return {
      type: 'TRANSFER',
      source,
      description: `${fromUserAccount} transferred ${amount} ${mint} to ${toUserAccount}.`,
    };
  return transfers[0]!.fromTokenAccount
    ? { type: 'BURN', source, description: `${fromUserAccount} burned ${amount} ${mint}.` }
    : { type: 'TOKEN_MINT', source, description: `${amount} ${mint} minted to ${toUserAccount}.` };
}

function ofLamports(instructions: readonly Instruction[], movements: readonly NativeMovement[]): Summary {
  const paid = movements.find(({ deposit }) => !deposit);
  if (paid)
    return {
      type: 'TRANSFER',
      source: 'SYSTEM_PROGRAM',
      description: `${paid.from} transferred ${wholeTokens(paid.lamports, 9)} SOL to ${paid.to}.`,
    };
  const [creation] = movements;
  if (!creation) return UNKNOWN;
  const associated = instructions.some(({ programId }) => programId === ASSOCIATED_TOKEN_PROGRAM);
  return {
    type: 'CREATE_ACCOUNT',
    source: associated ? 'ASSOCIATED_TOKEN_PROGRAM' : 'SYSTEM_PROGRAM',
    description: `${creation.from} created account ${creation.to}.`,
  };
}
