import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { inProcessBuilder } from '../../infra/program/features/billing/as-of/snapshot-builder';
import { threadBuilder } from '../../infra/program/features/billing/as-of/fold-thread';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import type { EventStore } from '../../contracts/ports/event-store';
import { viewsAsOf } from '../../projections/as-of/fold';
import { FIRST } from '../../projections/as-of/timeline';
import { BILLING_PROJECTIONS } from '../../projections/billing/billing-projections';
import { fillFees } from '../bench/fill/fees';
import { allDocuments } from '../billing/all-documents';
import { eventstoredb } from './eventstoredb';
import type { RunningServer } from './server';

let folder: string;
let server: RunningServer;
let store: EventStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eventstoredb-as-of-'));
  server = await eventstoredb.start(join(folder, 'server'));
  store = await openEventStoreDb({ url: server.url });
  await fillFees(store, 1_000);
});
afterAll(async () => {
  await store.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

const { signal } = new AbortController();
const nothing = (): void => undefined;
const inThread = () => threadBuilder({ DATA_DIR: folder, EVENTSTORE_URL: server.url });

async function folded(folding: ReturnType<typeof inProcessBuilder>, name: string) {
  const file = join(folder, name);
  const mark = await folding.find({ position: await store.head() }, FIRST, signal, nothing);
  await folding.fold(file, mark, signal, nothing);
  const documents = openSqliteDocuments({ path: file });
  const ledger = { documents, store, projections: BILLING_PROJECTIONS };
  const all = await allDocuments(viewsAsOf(ledger, mark), BILLING_PROJECTIONS);
  await documents.close();
  return { mark, all };
}

it('is folded in a thread, with its own connection, to the same documents as in this process', async () => {
  const here = inProcessBuilder({ store, projections: BILLING_PROJECTIONS });
  expect(await folded(inThread(), 'in-thread')).toEqual(await folded(here, 'here'));
});

it('that becomes unavailable meanwhile is reported as unavailable', async () => {
  const gone = inThread().find({}, FIRST, signal, () => void server.kill());
  await expect(gone).rejects.toBeInstanceOf(EngineUnavailable);
});
