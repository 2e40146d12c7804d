import type { z } from 'zod';
import { USDC } from '../../contracts/chain/usdc';
import type { historyV3 } from '../../contracts/http/history';
import type { AccountRef, SolanaNetwork, TonNetwork } from '../../contracts/network';
import type { Source } from '../../contracts/ports/documents';
import { tonAccount, type TonAccount } from '../ton-account';
import { tonItems } from './pages';
import type { ReadTonHistory } from './read-ton-history';
import { ownerSource, tokenSource, type SolanaHistory } from './solana';
import { mergeSources, type MergedPage } from './merge';

type Request = z.output<NonNullable<typeof historyV3.body>>;

const SOLANA_NETWORK: Readonly<Record<TonNetwork, SolanaNetwork>> = { mainnet: 'mainnet', testnet: 'devnet' };

/** The accounts of a wallet, and where its page begins. */
export interface Wallet extends Pick<Request, 'cursor' | 'limit'> {
  readonly ton: TonAccount;
  readonly network: SolanaNetwork;
  readonly owner: string | null;
  readonly tokenAccount: string | null;
}

/** @throws Problem 400 when the TON address is of another network */
export function walletOf({ account, network, cursor, limit }: Request): Wallet {
  return {
    ton: tonAccount(account.tonAddress, network, '/body/network'),
    network: SOLANA_NETWORK[network],
    owner: account.solanaAddress || null,
    tokenAccount: account.solanaATAaddress || null,
    cursor,
    limit,
  };
}

export function accountsOf({ ton, network, owner, tokenAccount }: Wallet): AccountRef[] {
  return [
    ton,
    ...[owner, tokenAccount].flatMap((address): AccountRef[] =>
      address === null ? [] : [{ chain: 'solana', network, address }],
    ),
  ];
}

/** The sources of the Solana side of a page. With a token account, the owner's history is read over several pages. */
export function solanaSources(
  solana: SolanaHistory,
  { network, owner, tokenAccount, cursor }: Wallet,
): Source[] {
  return [
    ...(owner === null
      ? []
      : solana.sources(network, owner, {
          bounded: tokenAccount !== null || typeof cursor.solana?.before === 'string',
          byMint: false,
        })),
    ...(tokenAccount === null
      ? []
      : solana.sources(network, tokenAccount, {
          bounded: typeof cursor.solanaToken?.before === 'string',
          byMint: true,
        })),
  ];
}

/** One page over both chains; `complete` is false when the wait ended although more was missing on one of them. */
export async function readWallet(
  { read, solana }: { readonly read: ReadTonHistory; readonly solana: SolanaHistory },
  { ton, network, owner, tokenAccount, cursor, limit }: Wallet,
  signal: AbortSignal,
): Promise<{ readonly page: MergedPage; readonly complete: boolean }> {
  const mint = cursor.solanaToken?.mint ?? USDC[network];
  const [page, ...sources] = await Promise.all([
    read(ton, { from: cursor.ton?.lt, limit }, signal),
    ...(owner === null
      ? []
      : [
          ownerSource(solana, network, owner, {
            limit,
            before: cursor.solana?.before ?? undefined,
            except: tokenAccount === null ? null : mint,
          }),
        ]),
    ...(tokenAccount === null
      ? []
      : [
          tokenSource(solana, network, tokenAccount, {
            limit,
            before: cursor.solanaToken?.before ?? undefined,
            mint,
          }),
        ]),
  ]);
  const tonSource = { kind: 'ton', items: tonItems(page, ton.network), more: page.hasMore } as const;
  return {
    page: mergeSources([tonSource, ...sources], limit, cursor),
    complete: page.complete && sources.every(({ complete }) => complete),
  };
}
