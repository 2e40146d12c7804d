import type { SolanaToken } from '../../contracts/chain/solana-observations';
import { immutable } from '../../contracts/http/immutable-response';
import type { SolanaNetwork } from '../../contracts/network/network';
import { solanaNewestSource, solanaTransactions } from '../../projections/solana/transactions/queries';
import { addressKey } from '../../contracts/http/address-key';
import type { Reader } from '../watch-account';
import type { SolanaReadDeps } from './deps';

interface Tokens {
  readonly response: SolanaToken[];
  /** RFC 3339 instant of the observation. */
  readonly at: string;
  /** False when a transaction of the owner is newer than the observation. */
  readonly isCurrent: boolean;
}

/**
 * The tokens of an owner. An observation that is older than a known transaction of the owner is replaced before it is
 * served; one that is merely stale is served and refreshed in the background.
 * @throws Problem 503 when nothing is known and the source does not answer
 */
export async function readTokens(
  deps: Pick<SolanaReadDeps, 'views' | 'tokens' | 'watch'>,
  network: SolanaNetwork,
  address: string,
  reader?: Reader,
): Promise<SolanaToken[]> {
  const { views, tokens, watch } = deps;
  const subject = { network, address };
  await watch({ chain: 'solana', ...subject }, reader);

  const findTokens = async (): Promise<Tokens | null> => {
    const [observed, newest] = await Promise.all([
      tokens.find(subject),
      solanaTransactions(views).newest(network, address),
    ]);
    if (!observed) return null;
    const isCurrent = (observed.height ?? -1) >= (newest?.slot ?? -1);
    return { response: [...observed.data.tokens], at: observed.at, isCurrent };
  };
  const query = {
    key: ['Solana tokens', network, address],
    sources: [tokens.source(subject), solanaNewestSource(network, address)],
  };
  const found = await tokens.readDerived(
    subject,
    {
      find: () => views.cached(query, findTokens),
      isStale: ({ at }) => tokens.isStale(at),
      isCurrent: ({ isCurrent }) => isCurrent,
    },
    reader && { caller: addressKey(reader.ip) },
  );
  if (!found) throw tokens.notReady(subject, 'The list of tokens');
  return immutable(found.response);
}
