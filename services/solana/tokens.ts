import { SOLANA_TOKENS as KIND, type SolanaToken } from '../../contracts/chain/solana-observations';
import { accountKey, type SolanaNetwork } from '../../contracts/network';
import { SOLANA_TOKENS, solanaTokens } from '../../projections/solana-tokens';
import { solanaTransactions } from '../../projections/solana-transactions/queries';
import type { SolanaReadDeps } from './deps';
import { isOld } from './freshness';
import { notReady, readUntil } from './waiting';

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
  const [known, newest] = await Promise.all([
    solanaTokens(views, network, address),
    solanaTransactions(views).newest(network, address),
  ]);
  const overtaken = known !== null && newest !== null && newest.slot > (known.height ?? -1);
  const ask = () => deps.request(KIND, accountKey(ref));
  if (known && !overtaken) {
    if (isOld(known, now())) await ask();
    return [...known.data.tokens];
  }
  const found = await readUntil(
    deps,
    [SOLANA_TOKENS],
    () => solanaTokens(views, network, address),
    tokens => tokens !== null && (tokens.height ?? 0) >= (newest?.slot ?? 0),
    ask,
  );
  if (!found) throw notReady('The list of tokens');
  return [...found.data.tokens];
}
