import type { z } from 'zod';
import type { SolanaAccountObserved } from '../../contracts/chain/solana-observations';
import { immutable } from '../../contracts/http/immutable-response';
import type { solanaAccount as solanaAccountEndpoint } from '../../contracts/http/solana/solana';
import type { SolanaNetwork } from '../../contracts/network/network';
import type { Observed } from '../../contracts/observation/reader';
import {
  solanaNewestSource,
  solanaTransactions,
  type NewestTransaction,
} from '../../projections/solana/transactions/queries';
import { addressKey } from '../../contracts/http/address-key';
import type { Reader } from '../watch-account';
import type { SolanaReadDeps } from './deps';

type Response = z.input<NonNullable<typeof solanaAccountEndpoint.response>>;

interface Balance {
  readonly response: Response;
  /** RFC 3339 instant of the observation; null when the balance is known from transactions only. */
  readonly at: string | null;
}

/** Lamports after the newest transaction or as observed, whichever is later; null when neither is known. */
export function newestBalance(
  observed: Observed<SolanaAccountObserved> | null,
  newest: NewestTransaction | null,
): string | null {
  const after = newest?.balance;
  if (after && (!observed || after.slot > (observed.height ?? -1))) return after.lamports;
  return observed && observed.data.balance;
}

/** Lamports as a decimal string. @throws Problem 503 when nothing is known and the source does not answer */
export async function readBalance(
  deps: Pick<SolanaReadDeps, 'views' | 'accounts' | 'watch'>,
  network: SolanaNetwork,
  address: string,
  reader?: Reader,
): Promise<Response> {
  const { views, accounts, watch } = deps;
  const subject = { network, address };
  await watch({ chain: 'solana', ...subject }, reader);

  /** The observed balance, or the one after a transaction that is newer than the observation. */
  const findBalance = async (): Promise<Balance | null> => {
    const [observed, newest] = await Promise.all([
      accounts.find(subject),
      solanaTransactions(views).newest(network, address),
    ]);
    const balance = newestBalance(observed, newest);
    return balance === null ? null : { response: { balance, address }, at: observed?.at ?? null };
  };
  const query = {
    key: ['Solana balance', network, address],
    sources: [accounts.source(subject), solanaNewestSource(network, address)],
  };
  const found = await accounts.readDerived(
    subject,
    {
      find: () => views.cached(query, findBalance),
      isStale: ({ at }) => at === null || accounts.isStale(at),
    },
    reader && { caller: addressKey(reader.ip) },
  );
  if (!found) throw accounts.notReady(subject, 'The account');
  return immutable(found.response);
}
