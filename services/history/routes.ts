import type { Logger } from 'pino';
import {
  historyV1,
  historyV1Post,
  historyV2,
  historyV2Post,
  historyV3,
  type MergedCursor,
  type TonPageV2,
  type WalletPage,
} from '../../contracts/http/history/history';
import { tonActions } from '../../contracts/http/history/actions';
import type { JsonText } from '../../contracts/json/json-text';
import type { AccountRef, FollowedNetworks, TonNetwork } from '../../contracts/network/network';
import type { TonHistoryPage, TonTransactions } from '../../projections/ton/transactions/queries';
import type { TonTraces } from '../../projections/ton/traces/queries';
import type { Views } from '../../projections/views';
import type { CardEvents, CardEventsRequest } from '../card-events';
import { bind, type Binding } from '../http/binding';
import type { AnyCall } from '../http/call';
import { listReader, type ListWait } from '../reads/read-list';
import { watchIfPossible, type Watch } from '../watch-account';
import { httpAction } from './actions/http-action';
import { readActions } from './actions/read-actions';
import { addressFormatter } from '../../projections/ton/format-address';
import { tonAccount, type TonAccount } from '../../contracts/account/ton-account';
import { readWithCardEvents } from './card-events';
import { pageV1, pageV2 } from './pages';
import { readTonHistory, type ReadTonHistory } from './read-ton-history';
import type { SolanaHistory } from './solana';
import { notifyShown, type OnShown } from './notify-shown';
import { accountsOf, readWallet, solanaSources, walletOf, type Wallet } from './wallet';

export interface HistoryDeps extends ListWait {
  readonly cached: Views['cached'];
  readonly transactions: TonTransactions;
  readonly traces: TonTraces;
  /** Whether the tail of a network has read all of its blocks. */
  readonly isIndexed?: (network: TonNetwork) => Promise<boolean>;
  readonly solana: SolanaHistory;
  readonly cardEvents: CardEvents;
  /** The networks that the instance serves; default: all. */
  readonly followed?: FollowedNetworks;
  /** Makes the indexer of the account's chain follow it. */
  readonly watch: Watch;
  readonly onShown?: OnShown;
  readonly logger: Logger;
}

/** An account of TON has no transactions of another chain. */
const NOTHING: TonPageV2 = { data: [], hasMore: false };

interface PageRequest {
  readonly lt?: string | undefined;
  readonly limit: number;
}

/** History of a TON account in both formats, and of a wallet over both chains. An account that is read is watched. */
export function historyRoutes({ cached, watch, logger, onShown, ...deps }: HistoryDeps): Binding[] {
  const readHistory = readTonHistory(deps.transactions, deps.isIndexed);
  const notify = onShown && notifyShown(onShown);
  const readFor =
    (call: AnyCall): ReadTonHistory =>
    async (account, query, readList) => {
      const page = await readHistory(account, query, readList);
      notify?.(account.network, page.transactions, call);
      return page;
    };

  const follow = (account: AccountRef, call: AnyCall) => watchIfPossible({ watch, logger }, account, call);

  /** @param name part of the cache key */
  const cachedPage =
    <Page>(name: string, make: (page: TonHistoryPage) => JsonText<Page>) =>
    async (account: TonAccount, { lt, limit }: PageRequest, call: AnyCall): Promise<JsonText<Page>> => {
      const { network, address } = account;
      const watched = { ...account, watch: await follow(account, call) };
      const readList = listReader(deps, call);
      return cached(
        {
          key: [name, network, address, watched.watch, lt, limit],
          sources: deps.transactions.sources(network, address),
        },
        async () => make(await readFor(call)(watched, { from: lt, limit }, readList)),
      );
    };
  const v1 = cachedPage('history v1', pageV1);
  const v2 = cachedPage('history v2', pageV2);

  /** Not cached: what it shows is of the token. */
  const withCardEvents = async (
    request: CardEventsRequest,
    page: { readonly cursor: MergedCursor; readonly limit: number },
    call: AnyCall,
  ): Promise<JsonText<TonPageV2>> => {
    const cards = await deps.cardEvents(request, call);
    const account = { ...request.wallet, watch: await follow(request.wallet, call) };
    return readWithCardEvents({ read: readFor(call), cards }, account, page, listReader(deps, call));
  };

  const v3 = async (wallet: Wallet, call: AnyCall): Promise<JsonText<WalletPage>> => {
    const { ton } = wallet;
    const watches = await Promise.all(accountsOf(wallet).map(account => follow(account, call)));
    const reading = { readList: listReader(deps, call), reader: call };
    return cached(
      {
        key: ['history v3', wallet, watches],
        sources: [
          ...(ton ? deps.transactions.sources(ton.network, ton.address) : []),
          ...solanaSources(deps.solana, wallet),
        ],
      },
      () =>
        readWallet({ read: readFor(call), solana: deps.solana }, wallet, ton ? watches[0]! : null, reading),
    );
  };

  const actions = async (
    account: TonAccount,
    { cursor, since, limit }: { cursor?: string | undefined; since?: string | undefined; limit: number },
    call: AnyCall,
  ) => {
    const { network, address } = account;
    const { transactions, traces } = deps;
    const watched = { ...account, watch: await follow(account, call) };
    const readList = listReader(deps, call);
    return cached(
      {
        key: ['actions', network, address, watched.watch, cursor, since, limit],
        sources: [...transactions.sources(network, address), traces.source(network, address)],
      },
      async () => {
        const from = since === undefined ? undefined : Date.parse(since) / 1_000;
        const page = await readActions(
          { read: readFor(call), transactions, traces },
          watched,
          { limit, cursor, since: from },
          readList,
        );
        const format = addressFormatter(network);
        return {
          ...page,
          complete: true as const,
          actions: page.actions.map(action => httpAction(action, format)),
        };
      },
    );
  };

  return [
    bind(tonActions, call => {
      const { params, query } = call;
      return actions(tonAccount(params.address, query.network, '/query/network'), query, call);
    }),
    bind(historyV1, call => {
      const { params, query } = call;
      return v1(tonAccount(params.address, query.network, '/query/network'), query, call);
    }),
    bind(historyV1Post, call => {
      const { params, body } = call;
      return v1(tonAccount(params.address, body.network, '/body/network'), body, call);
    }),
    bind(historyV2, call => {
      const { params, query } = call;
      return v2(tonAccount(params.address, query.network, '/query/network'), query, call);
    }),
    bind(historyV2Post, async call => {
      const { cursor = {}, token, params: selection, limit, network } = call.body;
      const account = tonAccount(call.params.address, network, '/body/network');
      if (selection.type === 'solana') return NOTHING;
      if (token === undefined || selection.type === 'ton')
        return v2(account, { limit, lt: cursor.ton?.lt }, call);
      return withCardEvents({ wallet: account, token, selection }, { cursor, limit }, call);
    }),
    bind(historyV3, call => v3(walletOf(call.body, deps.followed), call)),
  ];
}
