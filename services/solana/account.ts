import type { z } from 'zod';
import { SOLANA_ACCOUNT } from '../../contracts/chain/solana-observations';
import { kept } from '../../contracts/http/kept';
import type { solanaAccount as solanaAccountEndpoint } from '../../contracts/http/solana';
import { accountKey, type SolanaNetwork } from '../../contracts/network';
import { SOLANA_ACCOUNTS, solanaAccount } from '../../projections/solana/accounts';
import { solanaNewestSource, solanaTransactions } from '../../projections/solana/transactions/queries';
import type { Views } from '../../projections/views';
import type { SolanaReadDeps } from './deps';
import { isOld } from './freshness';
import { notReady, readUntil } from './waiting';

type Answer = z.input<typeof solanaAccountEndpoint.response>;

interface Balance {
  readonly answer: Answer;
  /** RFC 3339 instant of the read; null when it is only told by transactions. */
  readonly at: string | null;
}

/** The balance as it was read, or after a transaction that is newer than the read. */
async function knownBalance(views: Views, network: SolanaNetwork, address: string): Promise<Balance | null> {
  const [observed, newest] = await Promise.all([
    solanaAccount(views, network, address),
    solanaTransactions(views).newest(network, address),
  ]);
  const at = observed?.at ?? null;
  const told = newest?.balance;
  if (told && (!observed || told.slot > (observed.height ?? -1)))
    return { answer: { balance: told.lamports, address }, at };
  return observed && { answer: { balance: observed.data.balance, address }, at };
}

/** Lamports as a decimal string. @throws Problem 503 when nothing is known and the source does not answer */
export async function readBalance(
  deps: SolanaReadDeps,
  network: SolanaNetwork,
  address: string,
): Promise<Answer> {
  const { views, now } = deps;
  const ref = { chain: 'solana', network, address } as const;
  await deps.watch(ref);
  const question = {
    asked: ['Solana balance', network, address],
    of: [{ collection: SOLANA_ACCOUNTS, part: accountKey(ref) }, solanaNewestSource(network, address)],
  };
  const look = () => views.answer(question, () => knownBalance(views, network, address));
  const ask = () => deps.request(SOLANA_ACCOUNT, accountKey(ref));
  const known = await look();
  if (known) {
    if (isOld(known.at, now())) await ask();
    return kept(known.answer);
  }
  const found = await readUntil(deps, [SOLANA_ACCOUNTS], look, balance => balance !== null, ask);
  if (!found) throw notReady('The account');
  return found.answer;
}
