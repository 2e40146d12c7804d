import { SOLANA_TOKENS as KIND, type SolanaToken } from '../../contracts/chain/solana-observations';
import { kept } from '../../contracts/http/kept';
import { accountKey, type SolanaNetwork } from '../../contracts/network';
import { SOLANA_TOKENS, solanaTokens } from '../../projections/solana/tokens';
import { solanaNewestSource, solanaTransactions } from '../../projections/solana/transactions/queries';
import type { Views } from '../../projections/views';
import type { SolanaReadDeps } from './deps';
import { isOld } from './freshness';
import { notReady, readUntil } from './waiting';

interface Known {
  readonly read: {
    readonly tokens: SolanaToken[];
    /** RFC 3339 instant of the read. */
    readonly at: string;
    readonly height: number;
  } | null;
  /** Slot of the owner's newest transaction; -1 when there is none. */
  readonly newest: number;
}

async function knownTokens(views: Views, network: SolanaNetwork, owner: string): Promise<Known> {
  const [observed, newest] = await Promise.all([
    solanaTokens(views, network, owner),
    solanaTransactions(views).newest(network, owner),
  ]);
  return {
    read: observed && {
      tokens: [...observed.data.tokens],
      at: observed.at,
      height: observed.height ?? -1,
    },
    newest: newest?.slot ?? -1,
  };
}

/**
 * The tokens of an owner. What was read before a transaction of the owner that is known by now is out of date: a new
 * read is waited for. What is merely old is served, and read anew behind.
 * @throws Problem 503 when nothing is known and the source does not answer
 */
export async function readTokens(
  deps: SolanaReadDeps,
  network: SolanaNetwork,
  address: string,
): Promise<SolanaToken[]> {
  const { views, now } = deps;
  const ref = { chain: 'solana', network, address } as const;
  await deps.watch(ref);
  const question = {
    asked: ['Solana tokens', network, address],
    of: [{ collection: SOLANA_TOKENS, part: accountKey(ref) }, solanaNewestSource(network, address)],
  };
  const look = () => views.answer(question, () => knownTokens(views, network, address));
  const ask = () => deps.request(KIND, accountKey(ref));
  const { read, newest } = await look();
  if (read && read.height >= newest) {
    if (isOld(read.at, now())) await ask();
    return kept(read.tokens);
  }
  const isCurrent = ({ read }: Known) => read !== null && read.height >= newest;
  const found = await readUntil(deps, [SOLANA_TOKENS], look, isCurrent, ask);
  if (!found.read) throw notReady('The list of tokens');
  return found.read.tokens;
}
