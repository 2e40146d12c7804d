import { shareOf, type Bound } from '../../contracts/bound';
import type { WalletRequestDocument } from '../../projections/wallet-requests/wallet-requests';
import { roundRobin } from '../callers/round-robin';

/** Requests that may wait for the answer of one wallet. */
export const MAX_PENDING_TO_WALLET = 400;
/** Of one source. */
export const MAX_PENDING_FROM_SOURCE = shareOf(MAX_PENDING_TO_WALLET);

export const PLACES: Bound = {
  of: 'requests that wait for the answer of a wallet',
  owner: 'the wallet that is asked',
  max: String(MAX_PENDING_TO_WALLET),
  share: String(MAX_PENDING_FROM_SOURCE),
  beyond:
    '429 `too_many_wallet_requests`; a caller with fewer gets a place of the one with most, whose request ends',
  attack: {
    file: 'test/wallet-requests/requests.test.ts',
    test: 'strangers who ask a wallet again and again push no request of others out of its list and stream',
  },
};

export const TURNS: Bound = {
  of: 'requests to one wallet that a process creates, one after the other',
  owner: 'all who ask the wallet',
  max: String(MAX_PENDING_TO_WALLET),
  share: 'callers take turns, each with its oldest request',
  beyond: '429 `too_many_wallet_requests` for the newest of the caller with most',
  attack: {
    file: 'services/wallet-requests/turns.test.ts',
    test: 'an honest request to a wallet is created after one of each stranger, however many they have sent',
  },
};

type Waiting = Pick<WalletRequestDocument, 'requestId' | 'requestor' | 'source' | 'created'>;

/** What is not known to come from one source counts for its requestor. */
const sourceOf = ({ source, requestor }: Pick<Waiting, 'source' | 'requestor'>): string =>
  source ?? requestor;

/** Requests that wait for one wallet, so that none loses its place to those of callers who have sent more. */
export function fairOrder<Request extends Waiting>(waiting: readonly Request[]): readonly Request[] {
  const asTheyCame = [...waiting].sort((a, b) =>
    a.created === b.created ? (a.requestId < b.requestId ? -1 : 1) : a.created < b.created ? -1 : 1,
  );
  return roundRobin(asTheyCame, sourceOf);
}

/** Whether there is a place for one more request. */
export interface Place {
  /** Requests of the same source that wait. */
  readonly fromSource: number;
  /** Whether all places are taken by others who have no more. */
  readonly isFull: boolean;
  /** What ends if the request is created. */
  readonly displaced: readonly string[];
}

/** @param waiting for the wallet that is asked */
export function placeFor(waiting: readonly Waiting[], request: Waiting): Place {
  const fromSource = waiting.filter(each => sourceOf(each) === sourceOf(request)).length;
  const beyond = fairOrder([...waiting, request]).slice(MAX_PENDING_TO_WALLET);
  const displaced = beyond.map(({ requestId }) => requestId);
  return displaced.includes(request.requestId)
    ? { fromSource, isFull: true, displaced: [] }
    : { fromSource, isFull: false, displaced };
}
