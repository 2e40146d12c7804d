import type { TonAccount } from '../../contracts/account/ton-account';
import type { JettonBalanceObserved } from '../../contracts/chain/ton-token-observations';
import type { Observed } from '../../contracts/observation/reader';
import type { Source } from '../../contracts/ports/documents';
import { TOKEN_VERIFICATIONS_SOURCE } from '../../projections/tokens/verifications';
import type { TokenDeps } from './deps';
import { cachedJettonList, listSources, partOf, type ListedJetton, type Unfound } from './jetton-list';
import { findKnownJettons, isUnread, refreshKnownJetton, type KnownJetton } from './known-jettons';

/** What is known of one jetton wallet. */
export interface JettonEntry {
  readonly wallet: string;
  readonly jetton: KnownJetton;
  readonly balance: Observed<JettonBalanceObserved> | null;
  /** As of `ListedJetton`. */
  readonly foundAt: string | null;
  /** The owner has used the jetton since the balance was read, or others have sent it. */
  readonly isOutdated: boolean;
  /** What the owner or others sent may have changed the wallet after the balance was read. */
  readonly isEarly: boolean;
}

/** The jetton wallets of an owner, and what was sent that is in none of them. */
export interface JettonEntries {
  readonly entries: readonly JettonEntry[];
  readonly unfound: readonly Unfound[];
}

/** Whether something was never read of it. */
export function isUnknown({ balance, jetton }: JettonEntry): boolean {
  return balance === null || isUnread(jetton);
}

/** All of the jettons: a source for each of hundreds would cost more than the answer. */
const jettonSources = ({ masters, documents }: TokenDeps): readonly Source[] => [
  { collection: masters.collection },
  { collection: documents.collection },
  TOKEN_VERIFICATIONS_SOURCE,
];

/** All that entries are read from. */
export function entrySources(deps: TokenDeps, account: TonAccount): readonly Source[] {
  return [
    ...listSources(deps, account),
    { collection: deps.balances.collection, part: partOf(account) },
    ...jettonSources(deps),
  ];
}

/** A jetton of the list, with what is known of it. */
type KnownInList = ListedJetton & { readonly jetton: KnownJetton };

/** What changes seldom is cached by itself: after a change of a balance, only the balances are read again. */
export async function findEntries(deps: TokenDeps, account: TonAccount): Promise<JettonEntries> {
  const { network, address: owner } = account;
  const { jettons, unfound } = await findKnownInList(deps, account);
  const observed = await deps.balances.findMany(jettons.map(({ wallet }) => ({ network, owner, wallet })));
  const entries = jettons.map(({ wallet, jetton, seqno, arrival, foundAt }, place) => {
    const balance = observed[place] ?? null;
    const isBefore = (block: number | null): boolean => block !== null && (balance?.height ?? -1) < block;
    return { wallet, jetton, balance, foundAt, isOutdated: isBefore(seqno), isEarly: isBefore(arrival) };
  });
  return { entries, unfound };
}

function findKnownInList(
  deps: TokenDeps,
  account: TonAccount,
): Promise<{ readonly jettons: readonly KnownInList[]; readonly unfound: readonly Unfound[] }> {
  const { network, address } = account;
  const query = {
    key: ['known jettons of a TON account', network, address],
    sources: [...listSources(deps, account), ...jettonSources(deps)],
  };
  return deps.views.cached(query, async () => {
    // Read here: a list of a moment before, without a jetton of now, would be kept until the next change.
    const { jettons, unfound } = await cachedJettonList(deps, account);
    const masters = jettons.map(({ master }) => master);
    const known = await findKnownJettons(deps, network, masters);
    return { jettons: jettons.map((jetton, place) => ({ ...jetton, jetton: known[place]! })), unfound };
  });
}

/** Requests what the jettons of an owner lack, and what is stale of them. @param caller as of `refreshKnownJetton` */
export async function refreshEntries(deps: TokenDeps, account: TonAccount, caller: string): Promise<void> {
  const { balances, ownedJettons: found } = deps;
  const { network, address: owner } = account;
  const { entries, unfound } = await findEntries(deps, account);
  await Promise.all([
    ...entries.map(async ({ wallet, jetton, balance, foundAt, isOutdated, isEarly }) => {
      if (!balance || isOutdated || isEarly || balances.isStale(balance.at))
        await balances.request({ network, owner, wallet });
      // As long as the owner is shown it, it is not forgotten.
      if (foundAt !== null && found.isStale(foundAt))
        await found.request({ network, owner, master: jetton.master });
      await refreshKnownJetton(deps, network, jetton, caller);
    }),
    ...unfound
      .filter(({ askedAt }) => askedAt === null || found.isStale(askedAt))
      .map(({ master }) => found.request({ network, owner, master })),
  ]);
}
