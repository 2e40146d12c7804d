import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@solana/web3.js';
import { TonClient4 } from '@ton/ton';
import type { RebuildReport } from '../../projections/engine/rebuild';
import { send } from '../e2e/client';
import { spawnTidemark, tidemarkJson, type Tidemark } from '../e2e/tidemark';
import { temporaryFolder } from '../temporary-folder';
import { billingLoad, ExpectedInvoices, finishOpenRequests } from './billing-load';
import { ExpectedFees } from './expected-fees';
import { countTransfers, watch } from './count-transfers';
import { countFees, expectInvoices, expectRevenue } from './check-ledger';
import { between, type Target } from './load-target';
import { createFlow, fund, transferLoad } from './transfer-load';
import { comparedLines, countedLines, report } from './report';
import { scaled } from '../random';
import { until } from '../until';
import { LOCAL_MAINNETS } from '../local-networks';

const CYCLES = scaled(2);
const MIN_UPTIME_MS = 1_500;
const MAX_UPTIME_MS = 3_000;
/** Once in so many cycles the program is killed before it is ready. */
const KILL_DURING_STARTUP_EVERY = 6;
const KILLS_DURING_STARTUP = Math.floor(CYCLES / KILL_DURING_STARTUP_EVERY);

const folder = temporaryFolder();
const settings = { DATA_DIR: folder, LOCAL_TRAFFIC: 'false', ...LOCAL_MAINNETS };

const fees = new ExpectedFees();
const invoices = new ExpectedInvoices();
const flows = [createFlow(), createFlow()];

interface Place {
  readonly network: string;
  readonly endpoint: string;
  readonly faucet: string;
  readonly websocket: string;
}

async function targetOf({ url, ended }: Tidemark, token: string, killed: AbortSignal): Promise<Target> {
  const exited = ended.then(() => Promise.reject(new Error('the program has exited')));
  exited.catch(() => undefined);
  const { body } = await send(url, 'GET', '/devnet');
  const { ton, solana } = body as { ton: Place[]; solana: Place[] };
  const [tonMainnet, solanaMainnet] = [ton, solana].map(places =>
    places.find(({ network }) => network === 'mainnet')!,
  );
  return {
    url,
    token,
    killed,
    exited,
    ton: new TonClient4({ endpoint: tonMainnet!.endpoint, timeout: 120_000 }),
    tonFaucet: `${tonMainnet!.endpoint}/faucet`,
    solana: new Connection(solanaMainnet!.endpoint, {
      commitment: 'processed',
      wsEndpoint: solanaMainnet!.websocket,
    }),
  };
}

const newToken = async (): Promise<string> =>
  (
    await tidemarkJson<{ token: string }>(
      ['token', '--role', 'admin', '--secure', '--ttl', '86400'],
      settings,
    )
  ).token;

const acknowledgedTransfers = (): number[] =>
  (['ton', 'solana'] as const).map(chain =>
    flows.reduce((sum, flow) => sum + flow[chain].acknowledged.size, 0),
  );

/** Runs the program under load and kills it, on a busy machine not before it has acknowledged transfers on both chains. */
async function runAndKill(token: string): Promise<void> {
  const program = await spawnTidemark(settings).ready();
  const kill = new AbortController();
  const target = await targetOf(program, token, kill.signal);
  const load = Promise.all([
    ...billingLoad(target, fees, invoices),
    ...flows.flatMap(flow => transferLoad(target, flow)),
  ]);
  const before = acknowledgedTransfers();
  const underLoad = async (): Promise<void> => {
    await sleep(between(MIN_UPTIME_MS, MAX_UPTIME_MS));
    await until(() => acknowledgedTransfers().every((count, chain) => count > before[chain]!));
  };
  await Promise.race([load, underLoad()]);
  kill.abort();
  expect(await program.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  await load;
}

/** Starts the program and kills it before it is ready. */
async function killDuringStartup(startupMs: number): Promise<void> {
  const starting = spawnTidemark(settings);
  await sleep(between(1, startupMs));
  expect(await starting.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
}

test(`nothing acknowledged is lost or doubled when the program is killed ${CYCLES} times`, async () => {
  const began = Date.now();
  const beforeReady = Date.now();
  const first = await spawnTidemark(settings).ready();
  const startupMs = Date.now() - beforeReady;
  const token = await newToken();
  const never = new AbortController().signal;
  const setUp = await targetOf(first, token, never);
  for (const flow of flows) {
    await fund(setUp, flow);
    await watch(first.url, flow);
  }
  await first.kill('SIGKILL');

  for (let cycle = 1; cycle <= CYCLES; cycle++)
    await (cycle % KILL_DURING_STARTUP_EVERY === 0 ? killDuringStartup(startupMs) : runAndKill(token));

  const last = await spawnTidemark(settings).ready();
  const target = await targetOf(last, await newToken(), never);
  await finishOpenRequests(target, fees, invoices);
  const ledger = await countFees(target, fees);
  const transfers = await countTransfers(last.url, flows);
  const drafted = await expectInvoices(target, invoices);
  await expectRevenue(target, fees);
  const rebuilt = await tidemarkJson<RebuildReport[]>(['rebuild', '--all', '--verify'], settings);
  expect(await last.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  report([
    ['times killed', CYCLES + 1],
    ['seconds', Math.round((Date.now() - began) / 1_000)],
    ...countedLines({
      fees: ledger,
      'TON transfers': transfers.ton,
      'SOL transfers': transfers.solana,
    }),
    ['invoices drafted', drafted],
    ...comparedLines(rebuilt),
  ]);
  for (const { lost, doubled } of [ledger, transfers.ton, transfers.solana])
    expect([lost, doubled]).toEqual([0, 0]);
  for (const counted of [ledger, transfers.ton, transfers.solana])
    expect(counted.acknowledged).toBeGreaterThanOrEqual(CYCLES - KILLS_DURING_STARTUP);
  for (const { projection, comparison } of rebuilt)
    expect([projection, comparison?.different, comparison?.inconclusive]).toEqual([projection, 0, 0]);
});
