import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTANCE_STREAM } from '../../contracts/events/instance';
import { invoicePeriodStream } from '../../contracts/events/invoice-period';
import { openEmbeddedEngines } from '../../infra/engines/engines';
import { NETWORKS_OFF } from '../local-networks';
import '../starts-programs';
import { temporaryFolder } from '../temporary-folder';
import { call, callUntilReady } from './client';
import { fee } from './installation';
import { startTidemark, tidemark, type Settings } from './tidemark';

/*
 * Settings that are mistaken: a month is billed once, so programs and commands of another instance are refused on its ledger; a folder
 * of something else is left alone.
 */

const folder = temporaryFolder();

const settings = { DATA_DIR: join(folder, 'data'), ...NETWORKS_OFF };

const run = async (words: readonly string[], more: Record<string, string>) => {
  const { code, stderr } = await tidemark(words, { ...settings, ...more });
  return { code, error: stderr.trim() };
};

async function withProgram(work: (url: string, token: string) => Promise<void>): Promise<void> {
  const program = await startTidemark(settings);
  const { stdout } = await tidemark(['token', '--role', 'admin', '--secure'], settings);
  await work(program.url, stdout.trim()).finally(() => program.kill('SIGTERM'));
}

const act = (url: string, token: string, body: object, after: string | null) =>
  callUntilReady(url, 'POST', '/api/instance-admin', { token, body, after });

async function recorded({ DATA_DIR }: Settings): Promise<unknown[]> {
  const { store, close } = openEmbeddedEngines({ DATA_DIR: DATA_DIR! });
  const identities: unknown[] = [];
  for await (const { data } of store.readStream(INSTANCE_STREAM)) identities.push(data);
  await close();
  return identities;
}

beforeAll(() =>
  withProgram(async (url, token) => {
    const recorded = await call(url, 'POST', '/api/fees', { token, body: { fees: [fee('f-1')] } });
    const generated = await act(
      url,
      token,
      { action: 'generate_invoice', billingPeriod: '2026-01' },
      recorded.headers.get('x-ledger-position'),
    );
    expect(generated.status).toBe(200);
  }),
);

test.each([
  ['start', { INSTANCE_ID: 'acme' }],
  ['start', { INSTANCE_CURRENCY: 'EUR' }],
  ['revenue', { INSTANCE_CURRENCY: 'EUR' }],
  ['invoices list', { INSTANCE_ID: 'acme' }],
  ['merchants set m-1 --name Ann --slug ann', { INSTANCE_ID: 'acme' }],
  ['verify', { INSTANCE_ID: 'acme' }],
  ['export', { INSTANCE_ID: 'acme' }],
  ['replay --format csv', { INSTANCE_CURRENCY: 'EUR' }],
  ['token', { INSTANCE_ID: 'acme' }],
  ['demo', { INSTANCE_ID: 'acme' }],
  ['status', { INSTANCE_ID: 'acme' }],
] as [string, Record<string, string>][])('`tidemark %s` is refused with %j', async (line, other) => {
  const [[setting, value]] = Object.entries(other) as [[string, string]];
  const own = { INSTANCE_ID: 'local', INSTANCE_CURRENCY: 'USD' }[setting];
  expect(await run(line.split(' '), other)).toEqual({
    code: 64,
    error: `error: wrong settings: ${setting} is ${value}, and that of this ledger is ${own}. It cannot change: set ${setting}=${own}, or use another DATA_DIR or event store for another ledger`,
  });
});

test('the program starts again with its own, has one invoice, and has recorded its identity once', async () => {
  await withProgram(async (url, token) =>
    expect((await act(url, token, { action: 'list_invoices' }, null)).body).toMatchObject({ total: 1 }),
  );
  expect(await recorded(settings)).toEqual([
    expect.objectContaining({ instanceId: 'local', currency: 'USD', by: 'tidemark' }),
  ]);
});

test('with LOG_FORMAT=json the last error of a program is a line of JSON', async () => {
  const { stdout, stderr } = await tidemark(['start'], {
    ...settings,
    INSTANCE_ID: 'acme',
    LOG_FORMAT: 'json',
  });
  for (const line of `${stdout}${stderr}`.trim().split('\n'))
    expect(() => JSON.parse(line) as unknown).not.toThrow();
  expect(JSON.parse(stderr)).toMatchObject({
    level: 60,
    msg: expect.stringContaining('INSTANCE_ID is acme') as string,
  });
});

test('a demonstration is refused on a ledger with fees before anything listens', async () => {
  const { code, stdout, stderr } = await tidemark(['start', '--demo'], settings);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^error: the ledger has fees of its own[^\n]*: go on without it, [^\n]*`DATA_DIR=[^\n]* reset --yes`[^\n]*\n$/,
  );
});

test('a data folder is named at the start, as a new one the first time, and that of something else is refused', async () => {
  const DATA_DIR = join(folder, 'mistyped');
  const started = async () => {
    const program = await startTidemark({ ...settings, DATA_DIR });
    await program.kill('SIGTERM');
    return program.output();
  };
  const named = JSON.stringify(DATA_DIR);
  const first = await started();
  expect(first).toMatch(
    new RegExp(`"level":30[^\\n]*"dataDir":${named},"msg":"new data folder: an empty ledger, and new keys"`),
  );
  expect(first).toMatch(new RegExp(`"dataDir":${named}[^\\n]*"tidemark is up"`));
  expect(await started()).not.toContain('new data folder');

  const others = join(folder, 'others');
  mkdirSync(others);
  writeFileSync(join(others, 'notes.md'), '');
  const { code, stderr } = await tidemark(['start'], { ...settings, DATA_DIR: others });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('it is a folder of something else (notes.md)') as string,
  });
  expect(readdirSync(others)).toEqual(['notes.md']);
});

describe('a ledger of an earlier version, which has no identity', () => {
  /** Its data folder, with the events. */
  async function earlier(name: string, events: Readonly<Record<string, object>>): Promise<Settings> {
    const DATA_DIR = join(folder, name);
    const { store, close } = openEmbeddedEngines({ DATA_DIR });
    for (const [stream, data] of Object.entries(events))
      await store.append(stream, 'no_stream', [
        { id: randomUUID(), type: 'Happened', data: { ...data }, metadata: { v: 1 } },
      ]);
    await close();
    return { ...settings, DATA_DIR };
  }

  test('is that of the first of two that write to it at once', async () => {
    const folder = await earlier('two', {});
    const ids = ['acme', 'other'];
    const results = await Promise.all(
      ids.map(INSTANCE_ID =>
        tidemark(['merchants', 'set', 'm-1', '--name', 'Ann', '--slug', 'ann'], { ...folder, INSTANCE_ID }),
      ),
    );
    expect(results.map(({ code }) => code).sort()).toEqual([0, 64]);
    const instanceId = ids[results.findIndex(({ code }) => code === 0)];
    expect(await recorded(folder)).toEqual([expect.objectContaining({ instanceId })]);
  });

  test('is started by the instance of its invoices alone', async () => {
    const given = await earlier('invoiced', { [invoicePeriodStream('acme', '2026-10')]: {} });
    const { code, stderr } = await tidemark(['start'], given);
    expect({ code, stderr }).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('INSTANCE_ID is local, and that of this ledger is acme.') as string,
    });
    const program = await startTidemark({ ...given, INSTANCE_ID: 'acme' });
    await program.kill('SIGTERM');
    expect(await recorded(given)).toEqual([expect.objectContaining({ instanceId: 'acme' })]);
  });
});
