import {
  cardTransactionEvents,
  cardTransactionStream,
  type CardTransactionEvent,
} from '../../../contracts/events/card-transaction';
import type { CommandMetadata } from '../../../contracts/decider';
import { cardAccountStream, type CardEntry } from '../../../contracts/events/card-account';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Handle, StreamKind } from '../../handle';
import { load } from '../../load';
import { cardAccountKind } from './decider';
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

/**
 * So long a transaction stays in the state of its account after its last change. It is far longer than a command takes, so that what a
 * command has read of an archive is not outdated when it is decided.
 */
const KEPT_MS = 86_400_000;

export interface ArchiveDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
  readonly clock: () => Date;
}

/** Archives the transactions of an account that hold nothing and have not changed for a day, each in a stream of its own. */
export async function archiveTransactions(
  { store, handle, clock }: ArchiveDeps,
  accountId: string,
): Promise<void> {
  const account = await load(store, cardAccountKind, cardAccountStream(accountId));
  if (!account) return;
  const metadata = { now: clock().toISOString(), actor: 'card-archive' };
  const old = Object.entries(account.transactions).filter(
    ([, { changedAt, entries }]) =>
      Date.parse(metadata.now) - Date.parse(changedAt) > KEPT_MS && holdOf(entries) === 0n,
  );
  if (old.length === 0) return;
  for (const [transactionId, { cardId, entries }] of old) {
    const facts = { accountId, network: account.network, transactionId, cardId, at: metadata.now };
    const stream = cardTransactionStream(accountId, transactionId);
    await handle(cardTransactionKind, stream, { metadata, transaction: { ...facts, entries } });
  }
  // Only then the account drops them, and none that has changed meanwhile.
  const changedAt = Object.fromEntries(old.map(([id, transaction]) => [id, transaction.changedAt]));
  await handle(cardAccountKind, cardAccountStream(accountId), { type: 'archive', changedAt, metadata });
}
