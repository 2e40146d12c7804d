import type { z } from 'zod';
import { USDC } from '../../contracts/chain/usdc';
import type { historyV3, WalletPage } from '../../contracts/http/history/history';
import { jsonObject, type JsonText } from '../../contracts/json/json-text';
import {
  ALL_NETWORKS,
  isFollowed,
  SOLANA_BESIDE,
  type AccountRef,
  type FollowedNetworks,
  type NetworkRef,
  type SolanaNetwork,
} from '../../contracts/network/network';
import type { Source } from '../../contracts/ports/documents';
import type { TonHistoryEntry } from '../../projections/ton/transactions/queries';
import type { ReadList } from '../reads/read-list';
import { tonAccount, type TonAccount } from '../../contracts/account/ton-account';
import { historyItem } from './pages';
import type { FollowedTonAccount, ReadTonHistory } from './read-ton-history';
import { solanaSource, type SolanaBefore, type SolanaHistory, type SolanaReading } from './solana';
import { cursorAfter, mergeSources, type TimelineItem, type TimelineSource } from './merge';

type Request = z.output<NonNullable<typeof historyV3.body>>;

/** The accounts of a wallet on the networks that the instance serves, and where its page begins. */
export interface Wallet extends Pick<Request, 'cursor' | 'limit'> {
  /** Null where its network is off. */
  readonly ton: TonAccount | null;
  readonly network: SolanaNetwork;
  /** The owner, and its token account; empty when the wallet has none, or its network is off. */
  readonly solana: readonly string[];
  /** Chains on which the wallet has accounts that are not read, because their network is off. */
  readonly notServed: readonly NetworkRef['chain'][];
}

/** @throws Problem 400 when the TON address is of another network */
export function walletOf(
  { account, network, cursor, limit }: Request,
  followed: FollowedNetworks = ALL_NETWORKS,
): Wallet {
  const ton = tonAccount(account.tonAddress, network, '/body/network');
  const solana = [account.solanaAddress, account.solanaATAaddress].filter(address => !!address) as string[];
  const hasTon = isFollowed(followed, ton);
  const hasSolana = isFollowed(followed, { chain: 'solana', network: SOLANA_BESIDE[network] });
  return {
    ton: hasTon ? ton : null,
    network: SOLANA_BESIDE[network],
    solana: hasSolana ? solana : [],
    notServed: [
      ...(hasTon ? [] : (['ton'] as const)),
      ...(hasSolana || solana.length === 0 ? [] : (['solana'] as const)),
    ],
    cursor,
    limit,
  };
}

/** That of TON first. */
export function accountsOf({ ton, network, solana }: Wallet): AccountRef[] {
  return [
    ...(ton ? [ton] : []),
    ...solana.map((address): AccountRef => ({ chain: 'solana', network, address })),
  ];
}

const beforeOf = ({ solana, solanaToken }: Wallet['cursor']): SolanaBefore[] =>
  [
    { signature: solana?.before, pointer: '/body/cursor/solana/before' },
    { signature: solanaToken?.before, pointer: '/body/cursor/solanaToken/before' },
  ].flatMap(({ signature, pointer }) => (typeof signature === 'string' ? [{ signature, pointer }] : []));

/** The sources of the Solana side of a page. */
export function solanaSources(history: SolanaHistory, { network, solana, cursor }: Wallet): Source[] {
  const bounded = beforeOf(cursor).length > 0;
  return solana.flatMap(address => history.sources(network, address, { bounded, byMint: false }));
}

/** The transactions of an account of TON, from a logical time on or from the newest one. After the first part each begins at the last transaction of the one before. */
export function tonSource(
  read: ReadTonHistory,
  ton: FollowedTonAccount,
  from: string | undefined,
  readList: ReadList,
): TimelineSource<TonItem> {
  let last: string | undefined;
  return async limit => {
    const query = last === undefined ? { from, limit } : { from: last, limit: limit + 1 };
    const { transactions, hasMore } = await read(ton, query, readList);
    const items = transactions.filter(({ lt }) => lt !== last).map(tonItem);
    last = transactions.at(-1)?.lt ?? last;
    return { items, more: hasMore };
  };
}

export type TonItem = Extract<TimelineItem, { kind: 'ton' }>;

const tonItem = ({ lt, hash, time, row }: TonHistoryEntry): TonItem => ({
  kind: 'ton',
  lt,
  hash,
  time,
  served: () => historyItem('ton', row),
});

/**
 * One page over the chains that are served.
 * @param watch the number of the watch of the TON account; null where there is none
 * @throws Problem 503 when something of the page is missing on one of them
 */
export async function readWallet(
  { read, solana: history }: { readonly read: ReadTonHistory; readonly solana: SolanaHistory },
  wallet: Wallet,
  watch: number | null,
  reading: SolanaReading,
): Promise<JsonText<WalletPage>> {
  const { ton, network, solana, cursor, limit, notServed } = wallet;
  const sources = [
    ...(ton ? [tonSource(read, { ...ton, watch }, cursor.ton?.lt, reading.readList)] : []),
    ...(solana.length === 0 ? [] : [solanaSource(history, network, solana, beforeOf(cursor), reading)]),
  ];
  const mint = cursor.solanaToken?.mint ?? USDC[network];
  const { items, hasMore } = await mergeSources(sources, limit);
  return jsonObject<WalletPage>({
    data: items.map(item => item.served()),
    hasMore,
    cursor: cursorAfter(items, cursor, mint),
    ...(notServed.length > 0 && { notServed: [...notServed] }),
  });
}
