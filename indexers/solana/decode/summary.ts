import type { TokenTransfer } from '../../../contracts/chain/solana-transaction';
import { ASSOCIATED_TOKEN_PROGRAM, EXCHANGES, PLAIN_PROGRAMS, STAKE_PROGRAM } from '../programs';
import { wholeTokens } from './amount';
import type { Call } from './calls';
import type { NativeMovement } from './native-transfers';

export interface Summary {
  readonly type: string;
  readonly source: string;
  readonly description: string;
}

const UNKNOWN: Summary = { type: 'UNKNOWN', source: 'UNKNOWN', description: '' };

/** What a transaction was for, where that is plain to see; the words of `type` and `source` are Helius'. */
export function summary(
  calls: readonly Call[],
  native: readonly NativeMovement[],
  tokens: readonly TokenTransfer[],
): Summary {
  const exchange = calls.map(call => EXCHANGES.get(call.programId)).find(name => name !== undefined);
  if (exchange !== undefined) {
    const swap = new Set(tokens.map(transfer => transfer.mint)).size > 1;
    return { ...UNKNOWN, type: swap ? 'SWAP' : 'UNKNOWN', source: exchange };
  }
  if (calls.some(call => call.depth === 0 && call.programId === STAKE_PROGRAM))
    return { ...UNKNOWN, source: 'STAKE_PROGRAM' };
  if (!calls.every(call => PLAIN_PROGRAMS.has(call.programId))) return UNKNOWN;
  return tokens.length > 0 ? ofTokens(tokens) : ofLamports(calls, native);
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

function ofLamports(calls: readonly Call[], movements: readonly NativeMovement[]): Summary {
  const paid = movements.find(({ deposit }) => !deposit);
  if (paid)
    return {
      type: 'TRANSFER',
      source: 'SYSTEM_PROGRAM',
      description: `${paid.from} transferred ${wholeTokens(paid.lamports, 9)} SOL to ${paid.to}.`,
    };
  const [made] = movements;
  if (!made) return UNKNOWN;
  const associated = calls.some(({ programId }) => programId === ASSOCIATED_TOKEN_PROGRAM);
  return {
    type: 'CREATE_ACCOUNT',
    source: associated ? 'ASSOCIATED_TOKEN_PROGRAM' : 'SYSTEM_PROGRAM',
    description: `${made.from} created account ${made.to}.`,
  };
}
