import type { TonAccount } from '../../contracts/account/ton-account';
import type { JettonBalanceObserved } from '../../contracts/chain/ton-token-observations';
import type { Observed } from '../../contracts/observation/observation';
import type { Source } from '../../contracts/ports/documents';
import { TOKEN_VERIFICATIONS_SOURCE } from '../../projections/tokens/verifications';
import type { TokenDeps } from './deps';
import { listJettons, listSources, partOf, type Unfound } from './jetton-list';
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
  /** What others sent may have arrived after the balance was read. */
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

/** What changes seldom is cached by itself: after a change of a balance, only the balances are read again. */
export async function findEntries(deps: TokenDeps, account: TonAccount): Promise<JettonEntries> {
  const { views, balances } = deps;
  const { network, address: owner } = account;
  const sources = listSources(deps, account);
  const key = ['jettons of a TON account', network, owner];
  const { jettons, unfound } = await views.cached({ key, sources }, () => listJettons(deps, account));
  const known = await views.cached(
    {
      key: ['known jettons of a TON account', network, owner],
      sources: [...sources, ...jettonSources(deps)],
    },
    () =>
      findKnownJettons(
        deps,
        network,
        jettons.map(({ master }) => master),
      ),
  );
  const observed = await balances.findMany(jettons.map(({ wallet }) => ({ network, owner, wallet })));
  const entries = jettons.flatMap(({ wallet, master, seqno, arrival, foundAt }, place) => {
    const balance = observed[place] ?? null;
    const jetton = known[place];
    // Read a moment later, of a list that has changed since.
    if (jetton?.master !== master) return [];
    const isBefore = (block: number | null): boolean => block !== null && (balance?.height ?? -1) < block;
    return [{ wallet, jetton, balance, foundAt, isOutdated: isBefore(seqno), isEarly: isBefore(arrival) }];
  });
  return { entries, unfound };
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
