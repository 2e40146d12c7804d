import type { z } from 'zod';
import { USDC } from '../../contracts/chain/usdc';
import type { historyV3 } from '../../contracts/http/history';
import type { AccountRef, SolanaNetwork, TonNetwork } from '../../contracts/network';
import type { Source } from '../../contracts/ports/documents';
import { tonAccount, type TonAccount } from '../ton-account';
import { tonItems } from './pages';
import type { ReadTonHistory } from './read-ton-history';
import { solanaSource, type SolanaHistory } from './solana';
import { mergeSources, type MergedPage } from './merge';

type Request = z.output<NonNullable<typeof historyV3.body>>;

const SOLANA_NETWORK: Readonly<Record<TonNetwork, SolanaNetwork>> = { mainnet: 'mainnet', testnet: 'devnet' };

/** The accounts of a wallet, and where its page begins. */
export interface Wallet extends Pick<Request, 'cursor' | 'limit'> {
  readonly ton: TonAccount;
  readonly network: SolanaNetwork;
  /** The owner, and its token account; empty when the wallet has none. */
  readonly solana: readonly string[];
}

/** @throws Problem 400 when the TON address is of another network */
export function walletOf({ account, network, cursor, limit }: Request): Wallet {
  return {
    ton: tonAccount(account.tonAddress, network, '/body/network'),
    network: SOLANA_NETWORK[network],
    solana: [account.solanaAddress, account.solanaATAaddress].filter(address => !!address) as string[],
    cursor,
    limit,
  };
}

export function accountsOf({ ton, network, solana }: Wallet): AccountRef[] {
  return [ton, ...solana.map((address): AccountRef => ({ chain: 'solana', network, address }))];
}

const beforeOf = ({ solana, solanaToken }: Wallet['cursor']): string[] =>
  [solana?.before, solanaToken?.before].filter(signature => typeof signature === 'string');

/** The sources of the Solana side of a page. */
export function solanaSources(history: SolanaHistory, { network, solana, cursor }: Wallet): Source[] {
  const bounded = beforeOf(cursor).length > 0;
  return solana.flatMap(address => history.sources(network, address, { bounded, byMint: false }));
}

/**
 * One page over both chains; `complete` is false when the wait ended although more was missing on one of them.
 * @param watch the number of the watch of the TON account
 */
export async function readWallet(
  { read, solana: history }: { readonly read: ReadTonHistory; readonly solana: SolanaHistory },
  { ton, network, solana, cursor, limit }: Wallet,
  watch: number | null,
  signal: AbortSignal,
): Promise<{ readonly page: MergedPage; readonly complete: boolean }> {
  const [page, ...sources] = await Promise.all([
    read({ ...ton, watch }, { from: cursor.ton?.lt, limit }, signal),
    ...(solana.length === 0
      ? []
      : [solanaSource(history, network, solana, { limit, before: beforeOf(cursor) })]),
  ]);
  const tonSource = { kind: 'ton', items: tonItems(page, ton.network), more: page.hasMore } as const;
  const mint = cursor.solanaToken?.mint ?? USDC[network];
  return {
    page: mergeSources([tonSource, ...sources], limit, cursor, mint),
    complete: page.complete && sources.every(({ complete }) => complete),
  };
}
