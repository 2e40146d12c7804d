import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs';
import { accountKeys, type RawTransaction } from '../raw';
import { effectsOf } from './effects';
import { flattenInstructions } from './instructions';

/**
 * The mints of the token accounts that are, or are owned by, each account. From the node's balances, and from the
 * instructions that created token accounts: one that is closed in the same transaction has no balance before or after it.
 */
export function mintsByAccount(raw: RawTransaction): ReadonlyMap<string, readonly string[]> {
  const { meta } = raw;
  const keys = accountKeys(raw);
  const mints = new Map<string, string[]>();
  const add = (mint: string, ...accounts: readonly (string | undefined)[]): void => {
    for (const account of accounts) {
      if (account === undefined) continue;
      const known = mints.get(account);
      if (!known) mints.set(account, [mint]);
      else if (!known.includes(mint)) known.push(mint);
    }
  };
  for (const balances of [meta?.preTokenBalances, meta?.postTokenBalances])
    for (const { accountIndex, owner, mint } of balances ?? []) add(mint, keys[accountIndex], owner);
  if (!keys.includes(TOKEN_PROGRAM) && !keys.includes(TOKEN_2022_PROGRAM)) return mints;
  for (const { account, tokenAccount } of effectsOf(flattenInstructions(raw, keys)))
    if (tokenAccount) add(tokenAccount.mint, account, tokenAccount.owner);
  return mints;
}
