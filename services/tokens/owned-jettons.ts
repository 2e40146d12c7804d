import type { TonAccount } from '../../contracts/account/ton-account';
import { addressKey } from '../../contracts/http/address-key';
import type { HintPrice } from '../../contracts/http/tokens/tokens';
import type { TonNetwork } from '../../contracts/network/network';
import type { Source } from '../../contracts/ports/documents';
import { tonJettons } from '../../projections/ton/jettons/queries';
import type { AnyCall } from '../http/call';
import { createOwnedTokens, stalenessOf, type OwnedTokens } from '../owned-tokens';
import type { TokenImages } from '../token-attributes';
import type { TokenDeps } from './deps';
import type { Discover } from './discovery';
import {
  entrySources,
  findEntries,
  isUnknown,
  refreshEntries,
  type JettonEntries,
  type JettonEntry,
} from './jetton-entries';
import { cachedJettonList, listSources } from './jetton-list';
import { isShown, type ShownJetton } from './known-jettons';

/** A jetton wallet of an owner. */
export interface OwnedJetton {
  readonly jetton: ShownJetton;
  /** Raw. */
  readonly wallet: string;
  /** Smallest units. */
  readonly balance: string;
  /** When the balance was read (RFC 3339). */
  readonly at: string;
  /** Null when the jetton has none. */
  readonly price: HintPrice | null;
}

/**
 * Reads the jettons of an owner, as `serve` makes an answer of them.
 * @param name part of the cache key
 */
export function ownedJettons<Served extends object>(
  deps: TokenDeps,
  discover: Discover,
  name: string,
  serve: (network: TonNetwork, jettons: readonly OwnedJetton[], images: TokenImages) => Served,
): (account: TonAccount, call: AnyCall) => Promise<Served> {
  const { views, prices } = deps;
  const index = tonJettons(views);
  const read = createOwnedTokens(deps);

  const sources = (account: TonAccount): readonly Source[] => [...entrySources(deps, account), prices.source];

  async function find(account: TonAccount, images: TokenImages): Promise<OwnedTokens<Served>> {
    const found = await findEntries(deps, account);
    const owned = withPrices(found.entries, await pricesOf(deps, account));
    return { served: serve(account.network, owned, images), ...completenessOf(deps, found) };
  }

  return (account, call) => {
    const images = { gatewayUrl: deps.gatewayUrl, api: deps.publicUrl ?? call.origin };
    return read(
      {
        account,
        key: ['TON jettons', name, images.api],
        sources: sources(account),
        knownSince: watch => index.knownSince(account.network, account.address, watch),
        find: () => find(account, images),
        refresh: () => refreshEntries(deps, account, addressKey(call.ip)),
        discover: () => discover(account, addressKey(call.ip)),
      },
      call,
    );
  };
}

type Prices = ReadonlyMap<string, HintPrice>;

/** By master. */
function pricesOf(deps: TokenDeps, account: TonAccount): Promise<Prices> {
  const { views, prices } = deps;
  return views.cached(
    {
      key: ['prices of the jettons of a TON account', account.network, account.address],
      sources: [...listSources(deps, account), prices.source],
    },
    async () => {
      const { jettons } = await cachedJettonList(deps, account);
      return prices.find(
        account.network,
        jettons.map(({ master }) => master),
      );
    },
  );
}

/** The wallets whose balance and decimals are known. */
const withPrices = (entries: readonly JettonEntry[], prices: Prices): OwnedJetton[] =>
  entries.flatMap(({ wallet, jetton, balance }) =>
    isShown(jetton) && balance?.data?.master === jetton.master
      ? [
          {
            wallet,
            jetton,
            balance: balance.data.balance,
            at: balance.at,
            price: prices.get(jetton.master) ?? null,
          },
        ]
      : [],
  );

function completenessOf(
  { masters, balances, documents, ownedJettons }: TokenDeps,
  { entries, unfound }: JettonEntries,
): Omit<OwnedTokens<object>, 'served'> {
  const isEarly = entries.some(entry => entry.isEarly);
  const isOld = stalenessOf([
    [balances, entries.map(({ balance }) => balance?.at ?? null)],
    [masters, entries.map(({ jetton }) => jetton.masterAt)],
    [documents, entries.map(({ jetton }) => jetton.documentAt)],
    [ownedJettons, [...entries.map(({ foundAt }) => foundAt), ...unfound.map(({ askedAt }) => askedAt)]],
  ]);
  return {
    isEmpty: entries.length === 0,
    isWhole: !entries.some(isUnknown) && unfound.every(({ isAsked }) => isAsked),
    isComplete:
      !entries.some(({ isOutdated }) => isOutdated) && unfound.every(({ askedAt }) => askedAt !== null),
    isStale: () => isEarly || isOld(),
  };
}
