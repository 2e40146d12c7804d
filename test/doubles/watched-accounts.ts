import { randomUUID } from 'node:crypto';
import { watchStream } from '../../contracts/events/watch';
import { accountKey, type AccountRef } from '../../contracts/network/network';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import { createHandle } from '../../services/commands/handle';
import { watchKind } from '../../services/watch/decider';
import { watchTimes } from '../../services/watch/watch-times';
import { until } from '../until';

const AT = '2026-03-01T12:00:00.000Z';

async function record(
  store: EventStore,
  type: string,
  data: AccountRef & { readonly watch: number; readonly source?: string | null },
): Promise<void> {
  const metadata = { v: 'source' in data ? 2 : 1 };
  await store.append(watchStream(data), 'any', [
    { id: randomUUID(), type, data: { ...data, at: AT }, metadata },
  ]);
}

/** Records that an account is watched, also when it already is: the indexers must accept that. */
export function recordWatched(
  store: EventStore,
  account: AccountRef,
  watch = 1,
  source: string | null = null,
): Promise<void> {
  return record(store, 'AccountWatched', { ...account, watch, source });
}

/** Ends the watch of an account as the program does, and waits until the indexer has forgotten it. */
export async function forget(
  { store, documents }: { readonly store: EventStore; readonly documents: Documents },
  account: AccountRef,
  now: Date,
): Promise<void> {
  const metadata = { now: now.toISOString(), actor: 'test' };
  const command = { type: 'expire', account, ...watchTimes(30), metadata } as const;
  const outcome = await createHandle({ store })(watchKind, watchStream(account), command);
  expect(outcome).toMatchObject({ events: [{ type: 'WatchExpired' }] });
  const collection = account.chain === 'ton' ? 'indexer_ton_account_starts' : 'indexer_solana_backfills';
  await until(async () => (await documents.get(collection, accountKey(account))) === null);
}

export function recordExpired(store: EventStore, account: AccountRef, watch = 1): Promise<void> {
  return record(store, 'WatchExpired', { ...account, watch });
}
