import type { JettonBalanceObserved } from '../../contracts/chain/ton-token-observations';
import type { Observed } from '../../contracts/observation';
import { accountKey, type TonNetwork } from '../../contracts/network';
import type { Source } from '../../contracts/ports/documents';
import { tonJettons, type TonJetton } from '../../projections/ton/jettons/queries';
import { TOKEN_VERIFICATIONS_SOURCE } from '../../projections/tokens/verifications';
import type { AnyCall } from '../http/call';
import { createOwnedTokens, stalenessOf, type OwnedTokens } from '../owned-tokens';
import type { TonAccount } from '../ton-account';
import type { TokenDeps } from './deps';
import type { Discover } from './discovery';
import {
  findKnownJettons,
  isShown,
  isUnread,
  refreshKnownJetton,
  type KnownJetton,
  type ShownJetton,
} from './known-jettons';

/** A jetton wallet of an owner. */
export interface OwnedJetton {
  readonly jetton: ShownJetton;
  /** Raw. */
  readonly wallet: string;
  /** Smallest units. */
  readonly balance: string;
  /** When the balance was read (RFC 3339). */
  readonly at: string;
}

/** What is known of one jetton wallet. */
interface Entry {
  readonly wallet: string;
  readonly jetton: KnownJetton;
  readonly balance: Observed<JettonBalanceObserved> | null;
  /** The owner has used the jetton since the balance was read. */
  readonly isOutdated: boolean;
}

/** Of jettons that no transaction of an owner names. */
const MAX_FOUND = 1_000;

const isMissing = ({ balance, isOutdated, jetton }: Entry): boolean =>
  balance === null || isOutdated || isUnread(jetton);

/**
 * Reads the jettons of an owner, as `serve` makes an answer of them. What changes seldom is cached by itself: after a change of a
 * balance, only the balances are read again.
 * @param name part of the cache key
 */
export function ownedJettons<Served extends object>(
  deps: TokenDeps,
  discover: Discover,
  name: string,
  serve: (network: TonNetwork, jettons: readonly OwnedJetton[]) => Served,
): (account: TonAccount, call: AnyCall) => Promise<Served> {
  const { views, masters, balances, documents, ownedJettons: found } = deps;
  const index = tonJettons(views);
  const read = createOwnedTokens(deps);

  /** All of the jettons: a source for each of hundreds would cost more than the answer. */
  const jettonSources: readonly Source[] = [
    { collection: masters.collection },
    { collection: documents.collection },
    TOKEN_VERIFICATIONS_SOURCE,
  ];

  const part = ({ network, address }: TonAccount): string => accountKey({ chain: 'ton', network, address });

  /** Of which jettons there are. */
  const listSources = (account: TonAccount): readonly Source[] => [
    index.source(account.network, account.address),
    { collection: found.collection, part: part(account) },
  ];

  const sources = (account: TonAccount): readonly Source[] => [
    ...listSources(account),
    { collection: balances.collection, part: part(account) },
    ...jettonSources,
  ];

  /** Those that transactions of the owner name, and those that were found without. */
  async function list(account: TonAccount): Promise<readonly TonJetton[]> {
    const [named, more] = await Promise.all([
      index.ofOwner(account.network, account.address),
      found.findPart(part(account), MAX_FOUND),
    ]);
    const wallets = new Set(named.map(({ wallet }) => wallet));
    const unnamed = more.flatMap(({ subject: { master }, observed: { data: wallet } }) =>
      wallet === null || wallets.has(wallet) ? [] : [{ wallet, master, seqno: null }],
    );
    return [...named, ...unnamed].sort((a, b) => (a.wallet < b.wallet ? -1 : 1));
  }

  async function entriesOf(account: TonAccount): Promise<Entry[]> {
    const { network, address: owner } = account;
    const sources = listSources(account);
    const jettons = await views.cached({ key: ['jettons of a TON account', network, owner], sources }, () =>
      list(account),
    );
    const known = await views.cached(
      {
        key: ['known jettons of a TON account', network, owner],
        sources: [...sources, ...jettonSources],
      },
      () =>
        findKnownJettons(
          deps,
          network,
          jettons.map(({ master }) => master),
        ),
    );
    const observed = await balances.findMany(jettons.map(({ wallet }) => ({ network, owner, wallet })));
    return jettons.flatMap(({ wallet, master, seqno }, place) => {
      const balance = observed[place] ?? null;
      const jetton = known[place];
      // Read a moment later, of a list that has changed since.
      if (jetton?.master !== master) return [];
      return [{ wallet, jetton, balance, isOutdated: seqno !== null && (balance?.height ?? -1) < seqno }];
    });
  }

  async function find(account: TonAccount): Promise<OwnedTokens<Served>> {
    const entries = await entriesOf(account);
    const owned = entries.flatMap(({ wallet, jetton, balance }) =>
      isShown(jetton) && balance?.data?.master === jetton.master
        ? [{ wallet, jetton, balance: balance.data.balance, at: balance.at }]
        : [],
    );
    return {
      served: serve(account.network, owned),
      isEmpty: entries.length === 0,
      isComplete: !entries.some(isMissing),
      isStale: stalenessOf([
        [balances, entries.map(({ balance }) => balance?.at ?? null)],
        [masters, entries.map(({ jetton }) => jetton.masterAt)],
        [documents, entries.map(({ jetton }) => jetton.documentAt)],
      ]),
    };
  }

  /** Requests what the owner's jettons lack, and what is stale of them. */
  const refresh = async (account: TonAccount): Promise<void> => {
    const { network, address: owner } = account;
    await Promise.all(
      (await entriesOf(account)).map(async ({ wallet, jetton, balance, isOutdated }) => {
        if (!balance || isOutdated || balances.isStale(balance.at))
          await balances.request({ network, owner, wallet });
        await refreshKnownJetton(deps, network, jetton);
      }),
    );
  };

  return (account, call) =>
    read(
      {
        account,
        key: ['TON jettons', name],
        sources: sources(account),
        find: () => find(account),
        refresh: () => refresh(account),
        discover: () => discover(account),
      },
      call,
    );
}
