import { SOLANA_ACCOUNT } from '../../contracts/chain/solana-observations';
import { accountKey, type SolanaNetwork } from '../../contracts/network';
import { SOLANA_ACCOUNTS, solanaAccount } from '../../projections/solana-accounts';
import { solanaTransactions } from '../../projections/solana-transactions/queries';
import type { SolanaReadDeps } from './deps';
import { isOld } from './freshness';
import { notReady, readUntil } from './waiting';

interface Balance {
  readonly balance: string;
  readonly old: boolean;
}

/** The balance as it was read, or after a transaction that is newer than the read. */
async function knownBalance(
  { views, now }: SolanaReadDeps,
  network: SolanaNetwork,
  address: string,
): Promise<Balance | null> {
  const [observed, newest] = await Promise.all([
    solanaAccount(views, network, address),
    solanaTransactions(views).newest(network, address),
  ]);
  const old = isOld(observed, now());
  const told = newest?.balance;
  if (told && (!observed || told.slot > (observed.height ?? -1))) return { balance: told.lamports, old };
  return observed && { balance: observed.data.balance, old };
}

/** Lamports as a decimal string. @throws Problem 503 when nothing is known and the source does not answer */
export async function readBalance(
  deps: SolanaReadDeps,
  network: SolanaNetwork,
  address: string,
): Promise<string> {
  const ref = { chain: 'solana', network, address } as const;
  await deps.watch(ref);
  const known = await knownBalance(deps, network, address);
  const ask = () => deps.request(SOLANA_ACCOUNT, accountKey(ref));
  if (known) {
    if (known.old) await ask();
    return known.balance;
  }
  const found = await readUntil(
    deps,
    [SOLANA_ACCOUNTS],
    () => knownBalance(deps, network, address),
    balance => balance !== null,
    ask,
  );
  if (!found) throw notReady('The account');
  return found.balance;
}
