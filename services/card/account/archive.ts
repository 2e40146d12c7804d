import {
  cardTransactionEvents,
  cardTransactionStream,
  type CardTransactionEvent,
} from '../../../contracts/events/card-transaction';
import type { CommandMetadata } from '../../../contracts/decider';
import { cardAccountStream, type CardEntry } from '../../../contracts/events/card-account';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Handle } from '../../commands/handle';
import type { StreamKind } from '../../commands/stream-kind';
import { load } from '../../commands/load';
import { cardAccountKind } from './decider';
import type { CardAccount } from './state';
import { holdOf } from './transaction';

type Archived = CardTransactionEvent['data'];

interface Archive {
  readonly metadata: CommandMetadata;
  readonly transaction: Archived;
}

/** A transaction that its account no longer has in its state. */
const cardTransactionKind: StreamKind<Archived | null, Archive, CardTransactionEvent> = {
  events: cardTransactionEvents,
  lastEventIsState: true,
  decider: {
    initial: () => null,
    evolve: (_, { data }) => data,
    decide: (state, { transaction }) =>
      state?.entries.length === transaction.entries.length
        ? []
        : [{ type: 'CardTransactionArchived', data: transaction }],
  },
};

/** What a transaction has been archived with; empty for one that is new, or that its account still has. */
export async function archivedEntries(
  store: Pick<EventStore, 'readStream'>,
  accountId: string,
  transactionId: string,
): Promise<readonly CardEntry[]> {
  const found = await load(store, cardTransactionKind, cardTransactionStream(accountId, transactionId));
  return found?.entries ?? [];
}

/** So long a transaction stays in the state of its account after its last change. */
const KEPT_MS = 86_400_000;

/**
 * So long after a transaction was archived its account drops it. It is far longer than a command takes: one that has read the archive
 * before that is decided while the account still has the transaction, and does not take it for a new one.
 */
export const DROPPED_AFTER_MS = 3_600_000;

/** Those that hold nothing and have not changed for a day. */
export function oldTransactions(
  transactions: CardAccount['transactions'],
  now: string,
): [transactionId: string, CardAccount['transactions'][string]][] {
  return Object.entries(transactions).filter(
    ([, { changedAt, entries }]) =>
      Date.parse(now) - Date.parse(changedAt) > KEPT_MS && holdOf(entries) === 0n,
  );
}

export interface ArchiveDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
  readonly clock: () => Date;
}

/**
 * Archives the old transactions of an account, each in a stream of its own, and has the account drop those that have been archived for
 * long enough.
 * @returns whether there are others, which it may drop after `DROPPED_AFTER_MS`
 */
export async function archiveTransactions(
  { store, handle, clock }: ArchiveDeps,
  accountId: string,
): Promise<boolean> {
  const account = await load(store, cardAccountKind, cardAccountStream(accountId));
  if (!account) return false;
  const metadata = { now: clock().toISOString(), actor: 'card-archive' };
  const old = oldTransactions(account.transactions, metadata.now);
  const changedAt: Record<string, string> = {};
  for (const [transactionId, transaction] of old) {
    const { cardId, entries } = transaction;
    const facts = { accountId, network: account.network, transactionId, cardId, at: metadata.now };
    const stream = cardTransactionStream(accountId, transactionId);
    const outcome = await handle(cardTransactionKind, stream, {
      metadata,
      transaction: { ...facts, entries },
    });
    const archivedAt = outcome.refusal ? metadata.now : outcome.state!.at;
    if (Date.parse(metadata.now) - Date.parse(archivedAt) >= DROPPED_AFTER_MS)
      changedAt[transactionId] = transaction.changedAt;
  }
  // None that has changed meanwhile.
  const dropped = Object.keys(changedAt).length;
  if (dropped > 0)
    await handle(cardAccountKind, cardAccountStream(accountId), { type: 'archive', changedAt, metadata });
  return dropped < old.length;
}
