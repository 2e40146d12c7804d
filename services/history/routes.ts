import {
  historyV1,
  historyV1Post,
  historyV2,
  historyV2Post,
  historyV3,
  type HistoryItem,
  type UnifiedCursor,
} from '../../contracts/http/history';
import type { SolanaNetwork, TonNetwork } from '../../contracts/network';
import type { StoredTransaction } from '../../contracts/http/stored-transaction';
import type { TonHistoryPage } from '../../projections/ton-transactions/queries';
import { bind, type Binding } from '../http/binding';
import { tonAccount, type TonAccount } from './account';
import { friendlyOn } from './friendly';
import { readTonHistory, type TonHistoryDeps } from './read';
import { ownerStrand, tokenStrand, USDC, type SolanaHistory } from './solana';
import { storedTransaction } from './stored-transaction';
import { unify, type Strand } from './unified';

export interface HistoryDeps extends TonHistoryDeps {
  readonly solana: SolanaHistory;
}

interface Asked {
  readonly lt?: string | undefined;
  readonly limit: number;
  readonly network?: TonNetwork | undefined;
}

const stored = ({ transactions }: TonHistoryPage, network: TonNetwork): StoredTransaction[] => {
  const friendly = friendlyOn(network);
  return transactions.map(tx => storedTransaction(tx, friendly));
};

const tonItems = (page: TonHistoryPage, network: TonNetwork): HistoryItem[] =>
  stored(page, network).map(data => ({ type: 'ton', data }));

const hasMore = ({ transactions }: TonHistoryPage): boolean => {
  const last = transactions.at(-1);
  return last !== undefined && last.prev.lt !== '0';
};

const SOLANA_NETWORK: Readonly<Record<TonNetwork, SolanaNetwork>> = { mainnet: 'mainnet', testnet: 'devnet' };

/** History of a TON account in both formats, and of a wallet over both chains. */
export function historyRoutes(deps: HistoryDeps): Binding[] {
  const read = readTonHistory(deps);

  const v1 = async (account: TonAccount, { lt, limit }: Asked, signal: AbortSignal) => {
    return { transactions: stored(await read(account, { from: lt, limit }, signal), account.network) };
  };

  const v2 = async (account: TonAccount, { lt, limit }: Asked, signal: AbortSignal) => {
    const page = await read(account, { from: lt, limit }, signal);
    const last = page.transactions.at(-1);
    const data = tonItems(page, account.network);
    return last && hasMore(page)
      ? { data, hasMore: true, cursor: { ton: { lt: last.lt, hash: last.hash } } }
      : { data, hasMore: false };
  };

  async function solanaStrands(
    account: { solanaAddress: string; solanaATAaddress?: string | undefined },
    network: SolanaNetwork,
    cursor: UnifiedCursor,
    limit: number,
  ): Promise<Strand[]> {
    const { solanaAddress: owner, solanaATAaddress: tokenAccount } = account;
    const mint = cursor.solanaToken?.mint ?? USDC[network];
    return Promise.all([
      ...(owner
        ? [
            ownerStrand(deps.solana, network, owner, {
              limit,
              before: cursor.solana?.before ?? undefined,
              except: tokenAccount ? mint : null,
            }),
          ]
        : []),
      ...(tokenAccount
        ? [
            tokenStrand(deps.solana, network, tokenAccount, {
              limit,
              before: cursor.solanaToken?.before ?? undefined,
              mint,
            }),
          ]
        : []),
    ]);
  }

  return [
    bind(historyV1, ({ params, query, signal }) =>
      v1(tonAccount(params.address, query.network, '/query/network'), query, signal),
    ),
    bind(historyV1Post, ({ params, body, signal }) =>
      v1(tonAccount(params.address, body.network, '/body/network'), body, signal),
    ),
    bind(historyV2, ({ params, query, signal }) =>
      v2(tonAccount(params.address, query.network, '/query/network'), query, signal),
    ),
    bind(historyV2Post, ({ params, body: { cursor, ...body }, signal }) =>
      v2(tonAccount(params.address, body.network, '/body/network'), { ...body, lt: cursor?.ton?.lt }, signal),
    ),
    bind(historyV3, async ({ body: { account, network, cursor, limit }, signal }) => {
      const owner = tonAccount(account.tonAddress, network, '/body/network');
      const [page, solana] = await Promise.all([
        read(owner, { from: cursor.ton?.lt, limit }, signal),
        solanaStrands(account, SOLANA_NETWORK[network], cursor, limit),
      ]);
      const ton: Strand = { kind: 'ton', items: tonItems(page, network), more: hasMore(page) };
      return unify([ton, ...solana], limit, cursor);
    }),
  ];
}
