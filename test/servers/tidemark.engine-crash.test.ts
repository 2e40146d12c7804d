import type { RebuildReport } from '../../projections/engine/rebuild';
import { countTransfers, watch } from '../crash/count-transfers';
import { createFlow, fund, type Flow } from '../crash/transfer-load';
import { report } from '../crash/report';
import { call, send, type Answer } from '../e2e/client';
import { untilProjected } from '../e2e/projected';
import { tidemarkJson, type Tidemark } from '../e2e/tidemark';
import { scaled, SEED } from '../random';
import { until } from '../until';
import { openFleet, type Fleet } from './tidemark/fleet';
import { burst, targetOf } from './tidemark/load';
import { startDedicatedServers, type DedicatedServers } from './tidemark/dedicated-servers';
import { startRetryingFeeClient } from './tidemark/retrying-fee-client';
import type { ServerName } from './servers';
import { LOCAL_MAINNETS } from '../local-networks';

const ROLES: readonly string[] = ['api', 'projections', 'indexer-ton', 'indexer-solana', 'jobs'];
/** Longer than the timeouts of clients. */
const DOWNTIME_MS = 5_000;

let servers: DedicatedServers;
let fleet: Fleet;
let token: string;
let flow: Flow;
beforeAll(async () => {
  servers = await startDedicatedServers();
  fleet = await openFleet(servers.settings, LOCAL_MAINNETS);
  await fleet.add('networks');
  await Promise.all(ROLES.map(role => fleet.add(role)));
  token = await fleet.token();
  flow = createFlow();
  const target = await targetOf(fleet, token, new AbortController().signal);
  await fund(target, flow);
  await watch(target.url, flow);
});
afterAll(async () => {
  await fleet?.stop();
  await servers?.stop();
});

const ready = async ({
  operatorsUrl,
}: Tidemark): Promise<{ status: number; checks: Record<string, string> }> => {
  const { status, body } = await send(operatorsUrl, 'GET', '/health/ready');
  return { status, checks: (body as { checks: Record<string, string> }).checks };
};

const read = (body: object): Promise<Answer> =>
  call(fleet.of('api')[0]!.url, 'POST', '/api/instance-admin', { token, body });

/** Ids in the ledger, including duplicates. */
async function ledger(): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { status, body } = await read({ action: 'list_fee_ledger', page, pageSize: 200 });
    expect(status).toBe(200);
    const { rows } = body as { rows: { id: string }[] };
    if (rows.length === 0) return ids;
    ids.push(...rows.map(({ id }) => id));
  }
}

const READS = {
  get_revenue: () => read({ action: 'get_revenue' }),
  list_fee_ledger: () => read({ action: 'list_fee_ledger', page: 1, pageSize: 10 }),
  history: () =>
    call(
      fleet.of('api')[0]!.url,
      'GET',
      `/transactions/${encodeURIComponent(flow.tonSender.contract.address.toString())}`,
    ),
};

/** Every read is answered: 200, or 503 with Retry-After. */
async function tally(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, ask] of Object.entries(READS)) {
    const { status, headers } = await ask();
    if (status !== 200)
      expect([name, status, headers.get('retry-after')]).toEqual([name, 503, expect.any(String)]);
    counts[`${name} ${status}`] = (counts[`${name} ${status}`] ?? 0) + 1;
  }
  return counts;
}

const ALL: readonly (readonly [ServerName, string])[] = [
  ['eventstoredb', 'event_store'],
  ['kafka', 'log'],
  ['mongodb', 'documents'],
  ['redis', 'jobs'],
];
/** At a small scale one of them, another one for each seed. */
const KILLED = ALL.map((_, n) => ALL[(n + SEED) % ALL.length]!).slice(0, scaled(4 / 9));

test.each(KILLED)('%s is killed and restarted', async (name, check) => {
  const [api] = fleet.of('api');
  const fees = startRetryingFeeClient(api!.url, token, name);
  await until(
    () => fees.recorded.length,
    count => count >= 20,
  );
  await burst(fleet, flow);

  await servers.running[name].kill();
  const before = fees.recorded.length;
  for (const program of fleet.all())
    await until(
      () => ready(program),
      ({ status, checks }) => status === 503 && checks[check] !== 'ok',
    );
  const downSince = performance.now();
  const counts: Record<string, number>[] = [];
  await burst(fleet, flow);
  while (performance.now() - downSince < DOWNTIME_MS) counts.push(await tally());
  if (name === 'eventstoredb') expect(fees.recorded.length - before).toBeLessThanOrEqual(1);
  const meanwhile = fees.recorded.length - before;

  const back = performance.now();
  await servers.running[name].restart();
  const restarted = performance.now();
  for (const program of fleet.all())
    await until(
      () => ready(program),
      ({ status }) => status === 200,
    );
  const healthy = performance.now();
  const after = fees.recorded.length;
  await until(
    () => fees.recorded.length,
    count => count > after + 10,
  );
  await burst(fleet, flow);
  await fees.stop();
  const { ton, solana } = await countTransfers(api!.url, [flow]);
  await untilProjected(fleet.of('projections')[0]!.operatorsUrl);
  const settled = performance.now();
  const ids = (await ledger()).filter(id => id.startsWith(`${name}-`));
  report([
    [`${name}: seconds until ready after its restart`, ((healthy - restarted) / 1_000).toFixed(1)],
    ['seconds it took to start', ((restarted - back) / 1_000).toFixed(1)],
    ['seconds until everything was projected', ((settled - healthy) / 1_000).toFixed(1)],
    ['reads while it was down', JSON.stringify(sum(counts))],
    ['fees recorded while it was down', meanwhile],
    ['fees refused', fees.refused()],
    ['fees recorded, in the ledger', `${fees.recorded.length}, ${ids.length}`],
    ['TON transfers acknowledged', ton.acknowledged],
    ['SOL transfers acknowledged', solana.acknowledged],
  ]);
  expect(ids.sort()).toEqual([...fees.recorded].sort());
  expect([ton.lost, ton.doubled, solana.lost, solana.doubled]).toEqual([0, 0, 0, 0]);
  for (const { process } of fleet.all()) expect([process.exitCode, process.signalCode]).toEqual([null, null]);
});

test('rebuilt read models are equal', async () => {
  const rebuilt = await tidemarkJson<RebuildReport[]>(['rebuild', '--all', '--verify'], fleet.settings);
  for (const { projection, comparison } of rebuilt)
    expect([projection, comparison?.different, comparison?.inconclusive]).toEqual([projection, 0, 0]);
});

function sum(counts: readonly Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const each of counts)
    for (const [name, count] of Object.entries(each)) total[name] = (total[name] ?? 0) + count;
  return total;
}
