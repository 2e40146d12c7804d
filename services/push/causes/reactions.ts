import DataLoader from 'dataloader';
import {
  EXCHANGE_ORDER_CATEGORY,
  exchangeOrderEvents,
  exchangeOrderStream,
} from '../../../contracts/events/exchange-order';
import { WALLET_REQUEST_CATEGORY, walletRequestEvents } from '../../../contracts/events/wallet-request';
import { SOLANA_TRANSACTIONS } from '../../../contracts/chain/solana';
import { TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import type { AccountRef } from '../../../contracts/network/network';
import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';
import type { NewJob } from '../../../contracts/ports/jobs';
import { NOTIFIED_ORDER_STATUSES, pushCauseId, type PushCause } from '../../../contracts/push/push-cause';
import { areFollowed } from '../../../projections/push/devices';
import type { Views } from '../../../projections/views';
import type { Reaction } from '../../reactions/event-reaction';
import type { MessageReaction } from '../../reactions/message-reaction';
import { ATTEMPTS } from '../notification/jobs';
import { incomingTransaction, type DecodeSolana } from './incoming';
import { createRegistrationsWait, type RegistrationsDeps } from './registrations';

export const PUSH_CAUSES = 'push-causes';

/** What happened longer ago is history: it is not notified. */
export const MAX_CAUSE_AGE_MS = 3_600_000;

/** The devices of its account are looked for by a job. */
export function causeJob(cause: PushCause): NewJob {
  return { queue: PUSH_CAUSES, id: pushCauseId(cause), data: cause, attempts: ATTEMPTS };
}

interface IncomingDeps {
  readonly views: () => Pick<Views, 'getMany' | 'waitForPosition'>;
  readonly store: RegistrationsDeps['store'];
  readonly decode: DecodeSolana;
  readonly clock: () => Date;
}

/**
 * Transactions that bring something to accounts that devices follow. Also of backfills, which have what happened before an
 * indexer followed an account: what is too old is left out by its time.
 */
export function incomingTransactions({ views, store, decode, clock }: IncomingDeps): MessageReaction {
  const untilRegistered = createRegistrationsWait({ views, store });
  /** Those of a batch of messages are looked up together. */
  const followed = new DataLoader<string, boolean>(
    async keys => {
      await untilRegistered();
      return areFollowed(views(), keys);
    },
    { cache: false },
  );
  return {
    name: 'push-incoming-transactions',
    topics: [TON_TRANSACTIONS.name, SOLANA_TRANSACTIONS.name],
    from: 'now',
    async jobs(message) {
      // Nearly all are of accounts that no device follows, and need not be decoded.
      if (!(await followed.load(message.key))) return [];
      const cause = incomingTransaction(message, decode);
      return cause && Date.parse(cause.at) > clock().getTime() - MAX_CAUSE_AGE_MS ? [causeJob(cause)] : [];
    },
  };
}

/** Changes of exchange orders that their owner wants to know of. */
export function orderStatuses(store: Pick<EventStore, 'readStream'>): Reaction {
  return {
    name: 'push-order-statuses',
    categories: [EXCHANGE_ORDER_CATEGORY],
    from: 'now',
    async jobs(recorded) {
      const { type, data } = exchangeOrderEvents.read(recorded);
      if (type !== 'ExchangeOrderStatusObserved') return [];
      // The user has closed an order that is shown as something else than the partner says.
      const status = NOTIFIED_ORDER_STATUSES.find(each => each === data.to && each === data.shown);
      const account = status && (await ownerOf(store, data.orderId));
      if (!account) return [];
      return [causeJob({ kind: 'order_status', account, orderId: data.orderId, status, at: data.at })];
    },
  };
}

async function ownerOf(store: Pick<EventStore, 'readStream'>, orderId: string): Promise<AccountRef | null> {
  // Before it there may be the end of an earlier order of the same key, which was removed.
  for await (const recorded of store.readStream(exchangeOrderStream(orderId))) {
    const { type, data } = exchangeOrderEvents.read(recorded);
    if (type === 'ExchangeOrderRequested') return data.wallet;
  }
  return null;
}

/** Requests that a wallet is asked to confirm. */
export const walletRequests: Reaction = {
  name: 'push-wallet-requests',
  categories: [WALLET_REQUEST_CATEGORY],
  from: 'now',
  jobs(recorded: RecordedEvent) {
    const { type, data } = walletRequestEvents.read(recorded);
    if (type !== 'WalletRequestCreated') return [];
    const { requestId, network, confirmant, expiresAt, at } = data;
    const account = { chain: 'ton', network, address: confirmant } as const;
    return [causeJob({ kind: 'wallet_request', account, requestId, expiresAt, at })];
  },
};
