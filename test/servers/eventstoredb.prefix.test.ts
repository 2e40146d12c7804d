import { join } from 'node:path';
import { COMMANDS } from '../../infra/cli/commands';
import { migrate, type MigrationReport } from '../../infra/cli/migrate/migrate';
import { createLogger } from '../../infra/config/logger';
import { openEmbeddedEngines, openEngines, type Engines } from '../../infra/engines/engines';
import { readConfig } from '../../infra/program/settings/config';
import { runCommand } from '../command-line';
import type { Invoice } from '../../contracts/http/billing/responses';
import { call, callUntilReady } from '../e2e/client';
import { fee } from '../e2e/installation';
import { environment, startTidemark, type Settings, type Tidemark } from '../e2e/tidemark';
import { NETWORKS_OFF } from '../local-networks';
import '../starts-programs';
import { temporaryFolder } from '../temporary-folder';
import { startCluster, type Cluster } from './event-store-double/cluster';

/* Instances that share a server, under the same name, with the same ids: only their prefix differs. */

const folder = temporaryFolder();
let cluster: Cluster;
let instances: readonly Instance[];

interface Instance {
  readonly prefix: string;
  readonly settings: Settings;
  program: Tidemark;
  readonly token: string;
  /** The amounts of its fees. */
  readonly amounts: readonly string[];
}

const settingsOf = (prefix: string): Settings => ({
  ...NETWORKS_OFF,
  DATA_DIR: join(folder, prefix),
  EVENTSTORE_URL: cluster.url,
  EVENTSTORE_PREFIX: prefix,
});

/** Runs a command in this process. */
async function command<Answer>(settings: Settings, ...words: readonly string[]): Promise<Answer> {
  const entry = COMMANDS.find(({ name }) => name === words[0])!;
  const config = () => readConfig({ ...environment(settings), LOG_LEVEL: 'fatal' });
  return JSON.parse(await runCommand([await entry.load()], config, ['--json', ...words])) as Answer;
}

async function startInstance(prefix: string, amounts: readonly string[]): Promise<Instance> {
  const settings = settingsOf(prefix);
  const program = await startTidemark(settings);
  const { token } = await command<{ token: string }>(settings, 'token', '--role', 'admin', '--secure');
  return { prefix, settings, program, token, amounts };
}

async function act<Answer>({ program, token }: Instance, body: object): Promise<Answer> {
  const path = '/api/instance-admin';
  const answer = await callUntilReady(program.url, 'POST', path, { token, body, after });
  expect(answer.status).toBe(200);
  return answer.body as Answer;
}

let after: string | null = null;
const record = async ({ program, token, prefix, amounts }: Instance, nth: number): Promise<void> => {
  const more = { fee_amount: amounts[nth], merchant_name: prefix, merchant_slug: prefix };
  const body = { fees: [fee(`fee-${nth}`, more)] };
  const { status, headers } = await call(program.url, 'POST', '/api/fees', { token, body });
  expect(status).toBe(200);
  after = headers.get('x-ledger-position');
};

beforeAll(async () => {
  cluster = await startCluster(folder, 1);
  instances = [
    await startInstance('one', ['1.00', '1.00', '1.00']),
    await startInstance('two', ['2.00', '2.00', '2.00', '2.00', '2.00']),
  ];
  for (let nth = 0; nth < 5; nth++)
    for (const instance of instances) if (instance.amounts[nth]) await record(instance, nth);
});
afterAll(async () => {
  await Promise.all((instances ?? []).map(({ program }) => program.kill('SIGTERM')));
  await cluster?.stop();
});

const totalOf = ({ amounts }: Instance) => `${amounts.reduce((sum, amount) => sum + Number(amount), 0)}.00`;

async function expectItsOwn(instance: Instance): Promise<void> {
  const { prefix, amounts } = instance;
  const revenue = await act(instance, { action: 'get_revenue', billingPeriod: '2026-01' });
  expect(revenue).toMatchObject({ summary: [{ count: amounts.length, total_fee: totalOf(instance) }] });
  for (const asOf of [{}, { asOf: new Date().toISOString() }]) {
    const { rows } = await act<{ rows: { merchant_name: string }[] }>(instance, {
      action: 'list_fee_ledger',
      ...asOf,
    });
    expect(rows.map(row => row.merchant_name)).toEqual(amounts.map(() => prefix));
  }
}

it('shows each what it has recorded itself', async () => {
  for (const instance of instances) await expectItsOwn(instance);
});

it('numbers the invoices of each by itself', async () => {
  for (const instance of instances) {
    const { invoice } = await act<{ invoice: Invoice }>(instance, {
      action: 'generate_invoice',
      billingPeriod: '2026-01',
    });
    const { invoiceId } = invoice;
    const finalized = await act<{ invoice: Invoice }>(instance, { action: 'finalize_invoice', invoiceId });
    expect(finalized.invoice.number).toMatch(/[^1-9]1$/);
  }
});

it('has a ledger tree of its own in each, which is that of its export', async () => {
  for (const { settings, prefix, amounts } of instances) {
    const file = join(folder, `${prefix}.ndjson`);
    const { events } = await command<{ events: number }>(settings, 'export', '--output', file);
    const verified = await command<{ outcome: string; events: number }>(settings, 'verify');
    expect(verified).toMatchObject({ outcome: 'verified' });
    const replayed = await command<{ rows: number }>(
      settings,
      'replay',
      '--output',
      join(folder, `${prefix}.json`),
    );
    expect([replayed.rows, events > amounts.length]).toEqual([amounts.length, true]);
  }
});

it('builds the projections of each from its own events', async () => {
  for (const instance of instances) {
    await instance.program.kill('SIGTERM');
    const reports = await command<{ switched: boolean }[]>(instance.settings, 'rebuild', '--all');
    expect(new Set(reports.map(({ switched }) => switched))).toEqual(new Set([true]));
    instance.program = await startTidemark(instance.settings);
    await expectItsOwn(instance);
  }
});

it('migrates each alone, from a server and to one that others use', async () => {
  const opened: Engines[] = [];
  const open = async (prefix: string): Promise<Engines> => {
    opened.push(await openEngines(readConfig(environment(settingsOf(prefix))), createLogger('fatal')));
    return opened.at(-1)!;
  };
  const move = async (from: Engines, to: Engines): Promise<MigrationReport> =>
    migrate(from, to, { signal: new AbortController().signal, onProgress: () => undefined });
  try {
    for (const { program, prefix } of instances) {
      await program.kill('SIGTERM');
      const copy = openEmbeddedEngines({ DATA_DIR: join(folder, `copy-of-${prefix}`) });
      opened.push(copy);
      const source = await open(prefix);
      const there = await move(source, copy);
      const back = await move(copy, await open(`${prefix}again`));
      expect([there.equal, back.equal]).toEqual([true, true]);
      const names = new Set<string>();
      for await (const page of copy.store.readAll({ categories: ['fee'] }))
        for (const { data } of page) names.add(String(data['merchantName'] ?? data['merchant_name']));
      expect([...names]).toEqual([prefix]);
    }
  } finally {
    await Promise.all(opened.map(engines => engines.close()));
  }
});
