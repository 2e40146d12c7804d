import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import { walletRequestsProjection } from '../../projections/wallet-requests/wallet-requests';
import { createHandle } from '../../services/commands/handle';
import { applyRetention } from '../../services/retention/apply-retention';
import { WALLET_REQUEST_RETENTION } from '../../services/wallet-requests/retention';
import { given } from '../contracts/projection';
import { CrashingDocuments } from '../doubles/documents';
import { WALLET_REQUEST } from '../events/samples/wallet-request';
import { eventstoredb } from './eventstoredb';
import { scavenge } from './scavenge';
import type { RunningServer } from './server';

// A server of its own: what other tests record would go too.
let folder: string;
let server: RunningServer;
let store: EventStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eventstoredb-retention-'));
  server = await eventstoredb.start(join(folder, 'server'));
  store = await openEventStoreDb({ url: server.url });
});
afterAll(async () => {
  await store.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

const requestId = randomUUID().replaceAll('-', '');
const stream = `walletRequest-${requestId}`;
const append = (name: string, type: string, data: object = {}, v = 1) =>
  store.append(name, 'any', [{ id: randomUUID(), type, data: { ...data, requestId }, metadata: { v } }]);

/** Long after: everything that is recorded now has had its days. */
const apply = async (documents = new CrashingDocuments()): Promise<void> => {
  await append(`others-${requestId}`, 'Happened');
  await applyRetention(
    {
      store,
      documents,
      handle: createHandle({ store }),
      foldedByAll: async () => Infinity,
      clock: () => new Date(Date.now() + 100 * 86_400_000),
    },
    WALLET_REQUEST_RETENTION,
    WALLET_REQUEST_RETENTION.days,
    new AbortController().signal,
  );
};
const typesLeft = async (): Promise<string[]> => {
  const types: string[] = [];
  for await (const { type } of store.readStream(stream)) types.push(type);
  return types;
};
/** What a rebuild makes of the events that the server still has in its global order. */
const rebuilt = async (): Promise<number> => {
  const events: RecordedEvent[] = [];
  for await (const page of store.readAll({ categories: ['walletRequest'] }))
    events.push(...page.filter(event => event.stream === stream));
  const { wallet_requests: documents } = await given(walletRequestsProjection, events).replay();
  return documents!.length;
};

it('what has gone stays gone: for a stream, for a rebuild from the global order, and after a scavenge', async () => {
  await append(stream, 'WalletRequestCreated', WALLET_REQUEST.created, 2);
  await append(stream, 'WalletRequestConfirmed', WALLET_REQUEST.answer);
  expect(await rebuilt()).toBe(2);

  await apply();
  expect([await typesLeft(), await rebuilt()]).toEqual([['WalletRequestRemoved'], 0]);
  await scavenge(server.url, []);
  expect([await typesLeft(), await rebuilt()]).toEqual([['WalletRequestRemoved'], 0]);

  await apply();
  expect([await typesLeft(), await rebuilt()]).toEqual([[], 0]);
  // With documents that are lost it looks at everything again, as far as the server has it.
  await apply();
  expect([await typesLeft(), await rebuilt()]).toEqual([[], 0]);
  await scavenge(server.url, []);
  expect([await typesLeft(), await rebuilt()]).toEqual([[], 0]);
});
