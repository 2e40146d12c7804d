import { setTimeout as sleep } from 'node:timers/promises';
import { scaled } from '../random';
import type { RebuildReport } from '../../projections/engine/rebuild';
import { billingLoad, ExpectedInvoices, finishOpenRequests } from '../crash/billing-load';
import { ExpectedFees } from '../crash/expected-fees';
import { countTransfers, watch } from '../crash/count-transfers';
import { countFees, expectInvoices, expectRevenue } from '../crash/check-ledger';
import { createFlow, fund, transferLoad } from '../crash/transfer-load';
import { comparedLines, countedLines, report } from '../crash/report';
import { untilProjected } from '../e2e/projected';
import { tidemarkJson } from '../e2e/tidemark';
import { until } from '../until';
import { openFleet, type Fleet } from './tidemark/fleet';
import { targetOf } from './tidemark/load';
import { startDedicatedServers, type DedicatedServers } from './tidemark/dedicated-servers';
import { LOCAL_MAINNETS } from '../local-networks';

const ROUNDS = scaled(1 / 3);
const WORKERS: readonly string[] = ['projections', 'indexer-ton', 'indexer-solana', 'jobs'];
const BETWEEN_KILLS_MS = 500;
const AFTERWARDS_MS = 3_000;

jest.setTimeout(600_000 + ROUNDS * 600_000);

let servers: DedicatedServers;
let fleet: Fleet;
beforeAll(async () => {
  servers = await startDedicatedServers();
  fleet = await openFleet(servers.settings, LOCAL_MAINNETS);
  await fleet.add('networks');
  // One after the other: the first of each kind has the leases, and is killed first.
  for (const count of [1, 2])
    await Promise.all([...WORKERS.map(role => fleet.add(role)), ...(count === 1 ? [fleet.add('api')] : [])]);
});
afterAll(async () => {
  await fleet?.stop();
  await servers?.stop();
});

test(`nothing is lost or doubled when a worker of each kind is killed in each of ${ROUNDS} rounds`, async () => {
  const fees = new ExpectedFees();
  const invoices = new ExpectedInvoices();
  const flow = createFlow();
  const token = await fleet.token();
  const whole = await targetOf(fleet, token, new AbortController().signal);
  await fund(whole, flow);
  await watch(whole.url, flow);

  const recoveries: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const over = new AbortController();
    const target = await targetOf(fleet, token, over.signal);
    const load = Promise.all([...billingLoad(target, fees, invoices), ...transferLoad(target, flow)]);
    load.catch(() => undefined);
    const counts = () => [fees, flow.ton, flow.solana].map(({ acknowledged }) => acknowledged.size);
    const before = counts();
    for (const role of WORKERS) {
      await sleep(BETWEEN_KILLS_MS);
      await fleet.killOne(role);
    }
    await sleep(AFTERWARDS_MS);
    const isUnderLoad = () => counts().every((count, index) => count > before[index]! + 1);
    await Promise.race([load, until(isUnderLoad)]);
    over.abort();
    await load;
    const began = performance.now();
    const { ton, solana } = await countTransfers(whole.url, [flow]);
    await untilProjected(fleet.of('projections')[0]!.operatorsUrl);
    recoveries.push(Math.round((performance.now() - began) / 1_000));
    const wrong = [ton.lost, ton.doubled, solana.lost, solana.doubled];
    if (wrong.some(count => count > 0))
      throw new Error(`lost and doubled, TON and Solana: ${wrong.join(', ')}\n${fleet.recentErrors()}`);
    await Promise.all(WORKERS.map(role => fleet.add(role)));
  }

  await finishOpenRequests(whole, fees, invoices);
  await untilProjected(fleet.of('projections')[0]!.operatorsUrl);
  const ledger = await countFees(whole, fees);
  const drafted = await expectInvoices(whole, invoices);
  await expectRevenue(whole, fees);
  const { ton, solana } = await countTransfers(whole.url, [flow]);
  const rebuilt = await tidemarkJson<RebuildReport[]>(['rebuild', '--all', '--verify'], fleet.settings);
  report([
    ['workers killed', ROUNDS * WORKERS.length],
    ['seconds until everything was projected', recoveries.join(', ')],
    ...countedLines({ fees: ledger, 'TON transfers': ton, 'SOL transfers': solana }),
    ['invoices drafted', drafted],
    ...comparedLines(rebuilt),
  ]);
  expect([ledger.lost, ledger.doubled]).toEqual([0, 0]);
  for (const { acknowledged } of [ledger, ton, solana]) expect(acknowledged).toBeGreaterThan(ROUNDS);
  for (const { projection, comparison } of rebuilt)
    expect([projection, comparison?.different, comparison?.inconclusive]).toEqual([projection, 0, 0]);
});
