import type { TonAccount } from '../../../contracts/account/ton-account';
import type { TonTrace } from '../../../contracts/chain/ton-trace';
import type { Source } from '../../../contracts/ports/documents';
import type { NominatorDeps } from './deps';
import { movementsOf, type Movements, type PoolFees } from './movements';

/** What a member has moved, as far as its own transactions are known. */
export interface KnownMovements extends Movements {
  /** All transactions of the member up to the newest one are known, which is the one at this logical time; null while they are not. */
  readonly knownUpTo: bigint | null;
}

type MovementDeps = Pick<NominatorDeps, 'views' | 'stakes' | 'traces'>;

/** Traces that are read at a time. */
const PAGE = 500;

export function movementSources(
  { stakes, traces }: MovementDeps,
  { network, address }: TonAccount,
): Source[] {
  return [...stakes.sources(network, address), traces.source(network, address)];
}

/** @param watch of the member; null where it could not be watched now, and was before */
export function readMovements(
  deps: MovementDeps,
  member: TonAccount,
  pool: string,
  { watch, fees }: { readonly watch: number | null; readonly fees: PoolFees },
): Promise<KnownMovements> {
  const { views, stakes } = deps;
  const { network, address } = member;
  const { depositFee, receiptPrice } = fees;
  const key = ['movements of a staking member', network, address, pool, watch, depositFee, receiptPrice];
  return views.cached({ key, sources: movementSources(deps, member) }, async () => {
    // Read first, so that what is found includes what the backfill has published.
    const account = await stakes.account(network, address);
    const transactions = await stakes.ofMember(network, address, pool);
    const lts = transactions.filter(({ requests }) => requests.length > 0).map(({ lt }) => lt);
    const traces = await tracesOf(deps, member, lts);
    const isWhole = account?.knownSince(watch) === 0n;
    return {
      ...movementsOf(transactions, lt => traces.get(lt) ?? null, fees),
      knownUpTo: isWhole ? account.newest : null,
    };
  });
}

async function tracesOf(
  { traces }: MovementDeps,
  { network, address }: TonAccount,
  lts: readonly string[],
): Promise<ReadonlyMap<string, TonTrace | null>> {
  const found = new Map<string, TonTrace | null>();
  for (let at = 0; at < lts.length; at += PAGE) {
    const page = lts.slice(at, at + PAGE);
    const places = await traces.places(network, address, page);
    places.forEach(({ trace }, place) => found.set(page[place]!, trace));
  }
  return found;
}
