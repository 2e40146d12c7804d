import type { Logger } from 'pino';
import { historyV1, historyV1Post, historyV2, historyV2Post, historyV3 } from '../../contracts/http/history';
import { tonActions } from '../../contracts/http/actions';
import type { AccountRef, TonNetwork } from '../../contracts/network';
import type { TonHistoryPage } from '../../projections/ton/transactions/queries';
import type { TonTraces } from '../../projections/ton/traces/queries';
import type { Views } from '../../projections/views';
import { bind, type Binding } from '../http/binding';
import { httpAction } from './actions/http-action';
import { readActions } from './actions/read-actions';
import { addressFormatter } from './format-address';
import { tonAccount, type TonAccount } from '../ton-account';
import { pageV1, pageV2 } from './pages';
import { readTonHistory, type TonHistoryDeps } from './read-ton-history';
import type { SolanaHistory } from './solana';
import type { MergedPage } from './merge';
import { accountsOf, readWallet, solanaSources, walletOf, type Wallet } from './wallet';

export interface HistoryDeps extends TonHistoryDeps {
  readonly cached: Views['cached'];
  readonly traces: TonTraces;
  readonly solana: SolanaHistory;
  /** Makes the indexer of the account's chain follow it. */
  readonly watch: (account: AccountRef) => Promise<void>;
  readonly logger: Logger;
}

interface PageRequest {
  readonly lt?: string | undefined;
  readonly limit: number;
  readonly network?: TonNetwork | undefined;
}

/** History of a TON account in both formats, and of a wallet over both chains. An account that is read is watched from then on. */
export function historyRoutes({ cached, watch, logger, ...deps }: HistoryDeps): Binding[] {
  const read = readTonHistory(deps);

  const follow = (account: AccountRef): void => {
    watch(account).catch((error: unknown) =>
      logger.error({ err: error, ...account }, 'account could not be watched'),
    );
  };

  /** @param name part of the cache key */
  const cachedPage =
    <Page>(name: string, make: (page: TonHistoryPage, network: TonNetwork) => Page) =>
    (account: TonAccount, { lt, limit }: PageRequest, signal: AbortSignal): Promise<Page> => {
      const { network, address } = account;
      follow(account);
      let complete = false;
      return cached(
        { key: [name, network, address, lt, limit], sources: deps.transactions.sources(network, address) },
        async () => {
          const page = await read(account, { from: lt, limit }, signal);
          ({ complete } = page);
          return make(page, network);
        },
        () => complete,
      );
    };
  const v1 = cachedPage('history v1', pageV1);
  const v2 = cachedPage('history v2', pageV2);

  const v3 = (wallet: Wallet, signal: AbortSignal): Promise<MergedPage> => {
    const { network, address } = wallet.ton;
    accountsOf(wallet).forEach(follow);
    let complete = false;
    return cached(
      {
        key: ['history v3', wallet],
        sources: [...deps.transactions.sources(network, address), ...solanaSources(deps.solana, wallet)],
      },
      async () => {
        const found = await readWallet({ read, solana: deps.solana }, wallet, signal);
        ({ complete } = found);
        return found.page;
      },
      () => complete,
    );
  };

  const actions = async (
    account: TonAccount,
    { cursor, since, limit }: { cursor?: string | undefined; since?: string | undefined; limit: number },
    signal: AbortSignal,
  ) => {
    const { network, address } = account;
    const { transactions, traces } = deps;
    follow(account);
    return cached(
      {
        key: ['actions', network, address, cursor, since, limit],
        sources: [...transactions.sources(network, address), traces.source(network, address)],
      },
      async () => {
        const from = since === undefined ? undefined : Date.parse(since) / 1_000;
        const page = await readActions(
          { read, transactions, traces },
          account,
          { limit, cursor, since: from },
          signal,
        );
        const format = addressFormatter(network);
        return { ...page, actions: page.actions.map(action => httpAction(action, format)) };
      },
      ({ complete }) => complete,
    );
  };

  return [
    bind(tonActions, ({ params, query, signal }) =>
      actions(tonAccount(params.address, query.network, '/query/network'), query, signal),
    ),
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
    bind(historyV3, ({ body, signal }) => v3(walletOf(body), signal)),
  ];
}
