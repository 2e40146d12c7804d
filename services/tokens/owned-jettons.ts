import type { JettonBalanceObserved } from '../../contracts/chain/ton-token-observations';
import type { HintPrice } from '../../contracts/http/tokens/tokens';
import type { Observed } from '../../contracts/observation/observation';
import { accountKey, type TonNetwork } from '../../contracts/network/network';
import type { Source } from '../../contracts/ports/documents';
import { tonJettons, type TonJetton, type TonJettonReceipt } from '../../projections/ton/jettons/queries';
import { newerSeqno } from '../../projections/ton/transactions/documents';
import { TOKEN_VERIFICATIONS_SOURCE } from '../../projections/tokens/verifications';
import type { AnyCall } from '../http/call';
import { createOwnedTokens, stalenessOf, type OwnedTokens } from '../owned-tokens';
import type { TokenImages } from '../token-attributes';
import type { TonAccount } from '../../contracts/account/ton-account';
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
  /** Null when the jetton has none. */
  readonly price: HintPrice | null;
}

/** What is known of one jetton wallet. */
interface Entry {
  readonly wallet: string;
  readonly jetton: KnownJetton;
  readonly balance: Observed<JettonBalanceObserved> | null;
  /** The owner has used the jetton since the balance was read, or others have sent it. */
  readonly isOutdated: boolean;
  /** What others sent may have arrived after the balance was read. */
  readonly isEarly: boolean;
}

/** The jettons of an owner. */
interface List {
  readonly jettons: readonly ListedJetton[];
  /** What others sent to the owner without a notification, and no wallet of the owner is known for. */
  readonly unfound: readonly Unfound[];
}

interface ListedJetton extends TonJetton {
  /** The block by which what others sent without a notification has arrived; null when they sent nothing. */
  readonly arrival: number | null;
}

interface Unfound {
  readonly master: string;
  /**
   * When the master was last asked for the wallet of the owner (RFC 3339), since the jettons were sent; null when it was not.
   */
  readonly askedAt: string | null;
  /** Whether it was ever asked. */
  readonly isAsked: boolean;
}

/** What was sent is in the wallet of its receiver two blocks later: the wallet of its sender comes first. */
const BLOCKS_TO_ARRIVE = 2;
/** Ten minutes: what is delivered later than that is given up elsewhere as well. */
const MAX_BLOCKS_TO_ARRIVE = 1_500;

/** Of jettons that no transaction of an owner names. */
const MAX_FOUND = 1_000;

const isUnknown = ({ balance, jetton }: Entry): boolean => balance === null || isUnread(jetton);

/**
 * Reads the jettons of an owner, as `serve` makes an answer of them. What changes seldom is cached by itself: after a change of
 * a balance, only the balances are read again.
 * @param name part of the cache key
 */
export function ownedJettons<Served extends object>(
  deps: TokenDeps,
  discover: Discover,
  name: string,
  serve: (network: TonNetwork, jettons: readonly OwnedJetton[], images: TokenImages) => Served,
): (account: TonAccount, call: AnyCall) => Promise<Served> {
  const { views, masters, balances, documents, ownedJettons: found, prices } = deps;
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
    ...index.sources(account.network, account.address),
    { collection: found.collection, part: part(account) },
  ];

  const sources = (account: TonAccount): readonly Source[] => [
    ...listSources(account),
    { collection: balances.collection, part: part(account) },
    ...jettonSources,
    prices.source,
  ];

  /** Those that transactions of the owner name, and those that were found without. */
  async function list(account: TonAccount): Promise<List> {
    const { network, address } = account;
    const [named, more, received] = await Promise.all([
      index.ofOwner(network, address),
      found.findPart(part(account), MAX_FOUND),
      index.received(network, address),
    ]);
    const wallets = new Set(named.map(({ wallet }) => wallet));
    const unnamed = more.flatMap(({ subject: { master }, observed: { data: wallet } }) =>
      wallet === null || wallets.has(wallet) ? [] : [{ wallet, master, seqno: null }],
    );
    const sent = new Map(received.map(({ master, seqno }) => [master, seqno]));
    const jettons = [...named, ...unnamed].map(jetton => {
      const sentAt = sent.get(jetton.master) ?? null;
      return { ...jetton, seqno: newerSeqno(jetton.seqno, sentAt), arrival: arrivalOf(sentAt) };
    });
    const masters = new Set(jettons.map(({ master }) => master));
    const readings = new Map(more.map(({ subject: { master }, observed }) => [master, observed]));
    return {
      jettons: jettons.sort((a, b) => (a.wallet < b.wallet ? -1 : 1)),
      unfound: received
        .filter(({ master }) => !masters.has(master))
        .flatMap(receipt => unfoundOf(receipt, readings.get(receipt.master) ?? null)),
    };
  }

  async function entriesOf(
    account: TonAccount,
  ): Promise<{ readonly entries: readonly Entry[]; readonly unfound: readonly Unfound[] }> {
    const { network, address: owner } = account;
    const sources = listSources(account);
    const key = ['jettons of a TON account', network, owner];
    const { jettons, unfound } = await views.cached({ key, sources }, () => list(account));
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
    const entries = jettons.flatMap(({ wallet, master, seqno, arrival }, place) => {
      const balance = observed[place] ?? null;
      const jetton = known[place];
      // Read a moment later, of a list that has changed since.
      if (jetton?.master !== master) return [];
      const isBefore = (block: number | null): boolean => block !== null && (balance?.height ?? -1) < block;
      return [{ wallet, jetton, balance, isOutdated: isBefore(seqno), isEarly: isBefore(arrival) }];
    });
    return { entries, unfound };
  }

  /** By master. */
  const pricesOf = (account: TonAccount, entries: readonly Entry[]) =>
    views.cached(
      {
        key: ['prices of the jettons of a TON account', account.network, account.address],
        sources: [...listSources(account), prices.source],
      },
      () =>
        prices.find(
          account.network,
          entries.map(({ jetton }) => jetton.master),
        ),
    );

  async function find(account: TonAccount, images: TokenImages): Promise<OwnedTokens<Served>> {
    const { entries, unfound } = await entriesOf(account);
    const priced = await pricesOf(account, entries);
    const owned = entries.flatMap(({ wallet, jetton, balance }) =>
      isShown(jetton) && balance?.data?.master === jetton.master
        ? [
            {
              wallet,
              jetton,
              balance: balance.data.balance,
              at: balance.at,
              price: priced.get(jetton.master) ?? null,
            },
          ]
        : [],
    );
    const isWhole = !entries.some(isUnknown) && unfound.every(({ isAsked }) => isAsked);
    const isEarly = entries.some(entry => entry.isEarly);
    const isOld = stalenessOf([
      [balances, entries.map(({ balance }) => balance?.at ?? null)],
      [masters, entries.map(({ jetton }) => jetton.masterAt)],
      [documents, entries.map(({ jetton }) => jetton.documentAt)],
      [found, unfound.map(({ askedAt }) => askedAt)],
    ]);
    return {
      served: serve(account.network, owned, images),
      isEmpty: entries.length === 0,
      isWhole,
      isComplete:
        !entries.some(({ isOutdated }) => isOutdated) && unfound.every(({ askedAt }) => askedAt !== null),
      isStale: () => isEarly || isOld(),
    };
  }

  /** Requests what the owner's jettons lack, and what is stale of them. */
  const refresh = async (account: TonAccount): Promise<void> => {
    const { network, address: owner } = account;
    const { entries, unfound } = await entriesOf(account);
    await Promise.all([
      ...entries.map(async ({ wallet, jetton, balance, isOutdated, isEarly }) => {
        if (!balance || isOutdated || isEarly || balances.isStale(balance.at))
          await balances.request({ network, owner, wallet });
        await refreshKnownJetton(deps, network, jetton);
      }),
      ...unfound
        .filter(({ askedAt }) => askedAt === null || found.isStale(askedAt))
        .map(({ master }) => found.request({ network, owner, master })),
    ]);
  };

  return (account, call) => {
    const images = { gatewayUrl: deps.gatewayUrl, api: deps.publicUrl ?? call.origin };
    return read(
      {
        account,
        key: ['TON jettons', name, images.api],
        sources: sources(account),
        knownSince: watch => index.knownSince(account.network, account.address, watch),
        find: () => find(account, images),
        refresh: () => refresh(account),
        discover: () => discover(account),
      },
      call,
    );
  };
}

/** The block by which it has arrived. */
const arrivalOf = (seqno: number | null): number | null => seqno && seqno + BLOCKS_TO_ARRIVE;

/** Nothing of what has not arrived long after it was sent: anyone can send what they do not have. */
function unfoundOf({ master, seqno }: TonJettonReceipt, reading: Observed<string | null> | null): Unfound[] {
  const height = reading?.height ?? 0;
  if (seqno !== null && height >= seqno + MAX_BLOCKS_TO_ARRIVE) return [];
  // Asked before it can have arrived, a master says nothing of it.
  const isCurrent = reading && height >= (arrivalOf(seqno) ?? 0);
  return [{ master, askedAt: isCurrent ? reading.at : null, isAsked: reading !== null }];
}
