import { PublicKey } from '@solana/web3.js';
import { decodeBase58 } from '../../../contracts/base58';
import { ASSOCIATED_TOKEN_PROGRAM, NATIVE_MINT } from '../programs';
import type { RawTransaction } from '../raw';
import type { Instruction } from './instructions';
import { isTokenProgram } from './token-instructions';

interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
}

/** The token accounts that a transaction uses, as far as it names their mint and owner. */
export interface TokenAccounts {
  readonly accounts: ReadonlyMap<string, TokenAccount>;
  /** By mint. */
  readonly decimals: ReadonlyMap<string, number>;
}

/**
 * From the balances before and after, and from the instructions that created accounts: one that is created and closed
 * within the transaction, as wrapped SOL often is, has no balance on either side.
 */
export function tokenAccounts(
  raw: RawTransaction,
  keys: readonly string[],
  instructions: readonly Instruction[],
): TokenAccounts {
  const accounts = new Map<string, TokenAccount>();
  const decimals = new Map([[NATIVE_MINT, 9]]);
  for (const instruction of instructions) {
    const created = initialized(instruction);
    if (created) accounts.set(created.account, created);
  }
  for (const balances of [raw.meta?.postTokenBalances, raw.meta?.preTokenBalances])
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances ?? []) {
      accounts.set(keys[accountIndex]!, { mint, owner: owner ?? '' });
      decimals.set(mint, uiTokenAmount.decimals);
    }
  return { accounts, decimals };
}

const INITIALIZE_ACCOUNT = 1;
const INITIALIZE_ACCOUNT_2 = 16;
const INITIALIZE_ACCOUNT_3 = 18;

function initialized({
  programId,
  accounts,
  data,
}: Instruction): (TokenAccount & { account: string }) | null {
  const [first, second, third, fourth] = accounts;
  if (programId === ASSOCIATED_TOKEN_PROGRAM)
    return second && third && fourth ? { account: second, owner: third, mint: fourth } : null;
  if (!isTokenProgram(programId) || !first || !second) return null;
  const bytes = decodeBase58(data);
  switch (bytes?.[0]) {
    case INITIALIZE_ACCOUNT:
      return third ? { account: first, mint: second, owner: third } : null;
    case INITIALIZE_ACCOUNT_2:
    case INITIALIZE_ACCOUNT_3:
      if (bytes.length < 33) return null;
      return { account: first, mint: second, owner: new PublicKey(bytes.subarray(1, 33)).toBase58() };
    default:
      return null;
  }
}
