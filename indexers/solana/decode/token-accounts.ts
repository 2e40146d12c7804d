import { PublicKey } from '@solana/web3.js';
import { decodeBase58 } from '../../../contracts/base58';
import { ASSOCIATED_TOKEN_PROGRAM, NATIVE_MINT } from '../programs';
import type { RawTransaction } from '../raw';
import type { Call } from './calls';
import { isTokenProgram } from './token-instructions';

interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
}

/** What a transaction lets one know of the token accounts it uses. */
export interface TokenAccounts {
  readonly accounts: ReadonlyMap<string, TokenAccount>;
  /** By mint. */
  readonly decimals: ReadonlyMap<string, number>;
}

/**
 * From the balances before and after, and from the instructions that made accounts: one that is made and closed
 * within the transaction, as wrapped SOL often is, has no balance on either side.
 */
export function tokenAccounts(
  raw: RawTransaction,
  keys: readonly string[],
  calls: readonly Call[],
): TokenAccounts {
  const accounts = new Map<string, TokenAccount>();
  const decimals = new Map([[NATIVE_MINT, 9]]);
  for (const call of calls) {
    const made = initialized(call);
    if (made) accounts.set(made.account, made);
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

function initialized({ programId, accounts, data }: Call): (TokenAccount & { account: string }) | null {
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
