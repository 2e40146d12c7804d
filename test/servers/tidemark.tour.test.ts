import { feeStream } from '../../contracts/events/fee';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import type { EventStore } from '../../contracts/ports/event-store';
import { call, callUntilReady } from '../e2e/client';
import { fee } from '../e2e/installation';
import type { Tidemark } from '../e2e/tidemark';
import { runTour, TOUR_TEST_MS } from '../e2e/tour';
import { openFleet, type Fleet } from './tidemark/fleet';
import { startDedicatedServers, type DedicatedServers } from './tidemark/dedicated-servers';

let servers: DedicatedServers;
let fleet: Fleet;
let store: EventStore;
beforeAll(async () => {
  servers = await startDedicatedServers();
  fleet = await openFleet(servers.settings, { LOCAL_TRAFFIC: 'true', CLIENT_ERROR_FLUSH_SECONDS: '1' });
  store = await openEventStoreDb({ url: servers.running.eventstoredb.url });
  await fleet.add('networks');
  // One after the other: an api is ready once what it reads is folded.
  for (const role of ['projections', 'api']) await fleet.add(role, 2);
  for (const role of ['indexer-ton', 'indexer-solana', 'jobs']) await fleet.add(role);
});
afterAll(async () => {
  await store?.close();
  await fleet?.stop();
  await servers?.stop();
});

test(
  'the calls of the README and the tour work with a process for each role, and print what is shown',
  async () => {
    const place = {
      api: fleet.of('api')[0]!.url,
      devnet: fleet.of('networks')[0]!.url,
      projections: fleet.of('projections')[0]!.operatorsUrl,
    };
    // `tidemark status` asks the program at the port of the settings.
    await runTour(place, { ...fleet.settings, PORT: new URL(place.api).port });
  },
  TOUR_TEST_MS,
);

test('a fee recorded through one API is read through the other, at the position that the first one returned', async () => {
  const token = await fleet.token();
  const [one, other] = fleet.of('api') as [Tidemark, Tidemark];
  for (let n = 0; n < 20; n++) {
    const id = `through-one-${n}`;
    const recorded = await call(one.url, 'POST', '/api/fees', { token, body: { fees: [fee(id)] } });
    expect(recorded.status).toBe(200);
    const position = recorded.headers.get('x-ledger-position');
    const read = await callUntilReady(other.url, 'POST', '/api/instance-admin', {
      token,
      after: position,
      body: { action: 'list_fee_ledger', page: 1, pageSize: 200 },
    });
    expect(read.status).toBe(200);
    expect((read.body as { rows: { id: string }[] }).rows.map(row => row.id)).toContain(id);
    expect(await lastOf(feeStream(id))).toBe(Number(position));
  }
});

async function lastOf(stream: string): Promise<number | undefined> {
  for await (const { position } of store.readStream(stream, { direction: 'backwards', limit: 1 }))
    return position;
  return undefined;
}
