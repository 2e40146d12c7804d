import type { TonAccount } from '../../contracts/account/ton-account';
import { MAX_LISTED_REQUESTS } from '../../contracts/http/connect/wallet-requests';
import {
  findPendingRequests,
  findRequestsIn,
  type WalletRequestDocument,
} from '../../projections/wallet-requests/wallet-requests';
import { MAX_PENDING_REQUESTS } from './decider';
import type { WalletRequestDeps } from './deps';
import { MAX_PENDING_TO_WALLET, fairOrder } from './places';

type ListDeps = Pick<WalletRequestDeps, 'views' | 'clock'>;
type Requests = readonly WalletRequestDocument[];

/** Requests that the wallet has made and that nobody has answered, those that changed last first. */
export async function listOutgoing({ views, clock }: ListDeps, account: TonAccount): Promise<Requests> {
  const now = clock().toISOString();
  return newestFirst(await findPendingRequests(views, account, 'requestor', now, MAX_PENDING_REQUESTS));
}

/** Requests that wait for the wallet, those that changed last first. Of too many those of each caller have their part. */
export async function listIncoming(
  { views, clock }: ListDeps,
  account: TonAccount,
  limit = MAX_LISTED_REQUESTS,
): Promise<Requests> {
  const now = clock().toISOString();
  const waiting = await findPendingRequests(views, account, 'confirmant', now, 2 * MAX_PENDING_TO_WALLET);
  return newestFirst(fairOrder(waiting).slice(0, limit));
}

type State = Pick<WalletRequestDocument, 'role' | 'status'>;

// A request whose time has just passed is still pending in its document.
const OWN: readonly State[] = [
  ...(['pending', 'confirmed', 'declined', 'expired'] as const).map(status => ({
    role: 'requestor' as const,
    status,
  })),
  ...(['confirmed', 'declined'] as const).map(status => ({ role: 'confirmant' as const, status })),
];
/** Requests to the wallet that it has not answered: anybody can add to them. */
const UNANSWERED: readonly State[] = (['pending', 'expired'] as const).map(status => ({
  role: 'confirmant',
  status,
}));

/**
 * All that is pending, and then what changed last, as far as the list has places: first what the wallet has asked or answered.
 */
export async function listAll(deps: ListDeps, account: TonAccount): Promise<Requests> {
  const find = async (states: readonly State[]): Promise<Requests> => {
    const found = states.map(state => findRequestsIn(deps.views, account, state, MAX_LISTED_REQUESTS));
    return newestFirst((await Promise.all(found)).flat());
  };
  const [outgoing, own, unanswered] = await Promise.all([
    listOutgoing(deps, account),
    find(OWN),
    find(UNANSWERED),
  ]);
  const incoming = await listIncoming(deps, account, MAX_LISTED_REQUESTS - outgoing.length);
  const listed = new Map<string, WalletRequestDocument>();
  for (const request of [...outgoing, ...incoming, ...own, ...unanswered])
    if (listed.size < MAX_LISTED_REQUESTS || listed.has(request._id)) listed.set(request._id, request);
  return newestFirst([...listed.values()]);
}

const newestFirst = (requests: Requests): Requests => [...requests].sort((a, b) => b.position - a.position);
