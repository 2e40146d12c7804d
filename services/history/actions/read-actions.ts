import type { TonAction } from '../../../contracts/chain/ton-action';
import type { TonNetwork } from '../../../contracts/network/network';
import type { TonTraces } from '../../../projections/ton/traces/queries';
import type { TonHistoryEntry, TonTransactions } from '../../../projections/ton/transactions/queries';
import type { ReadList } from '../../reads/read-list';
import type { FollowedTonAccount, ReadTonHistory } from '../read-ton-history';
import { tonAction } from './action';
import type { TracedTransaction } from './message-result';

export interface ActionsQuery {
  readonly limit: number;
  /** Logical time, exclusive; default: from the newest. */
  readonly cursor?: string | undefined;
  /** Unix seconds, inclusive. */
  readonly since?: number | undefined;
}

export interface ActionsPage {
  readonly actions: readonly TonAction[];
  /** Where to continue; null at the end. */
  readonly cursor: string | null;
}

export interface ActionsDeps {
  readonly read: ReadTonHistory;
  readonly transactions: Pick<TonTransactions, 'withLts'>;
  readonly traces: TonTraces;
}

/** Pages of transactions read for a page of actions: an action may have several transactions. */
const MAX_PAGES = 5;

const before = (lt: string): string => String(BigInt(lt) > 0n ? BigInt(lt) - 1n : 0n);

/** The transactions of a page that are no parts of another one's trace, with their traces. */
async function traced(
  { transactions, traces }: ActionsDeps,
  { network, address }: { network: TonNetwork; address: string },
  page: readonly TonHistoryEntry[],
): Promise<TracedTransaction[]> {
  const places = await traces.places(
    network,
    address,
    page.map(({ lt }) => lt),
  );
  const roots = page.flatMap((entry, index) => {
    const { trace, memberOf } = places[index]!;
    return memberOf === null ? [{ transaction: entry.decoded(), trace }] : [];
  });
  // Of what returned to the account, only tokens show more than the trace does.
  const lts = roots.flatMap(({ trace }) =>
    (trace?.messages ?? []).flatMap(({ dest, jetton, transaction }) =>
      dest === address && transaction && jetton?.type === 'transfer_notification' ? [transaction.lt] : [],
    ),
  );
  const members = await transactions.withLts(network, address, lts);
  return roots.map(root => ({ ...root, members }));
}

/** Reads a page of actions, newest first. @throws Problem 503 when something of it is missing */
export async function readActions(
  deps: ActionsDeps,
  account: FollowedTonAccount,
  { limit, cursor, since = 0 }: ActionsQuery,
  readList: ReadList,
): Promise<ActionsPage> {
  const actions: TonAction[] = [];
  let next = cursor;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await deps.read(
      account,
      { from: next === undefined ? undefined : before(next), limit },
      readList,
    );
    const recent = page.transactions.filter(({ time }) => time >= since);
    for (const each of await traced(deps, account, recent)) {
      const action = tonAction(each);
      actions.push(action);
      if (actions.length === limit) return { actions, cursor: action.lt };
    }
    const isLast = recent.length < page.transactions.length || !page.hasMore;
    if (isLast) return { actions, cursor: null };
    next = page.transactions.at(-1)?.lt ?? next;
  }
  return { actions, cursor: next! };
}
