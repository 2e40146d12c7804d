import { cpSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { call, callUntilReady, send } from '../e2e/client';
import { fee, installation } from '../e2e/installation';
import {
  spawnTidemark,
  startTidemark,
  tidemark,
  storedStatus,
  tidemarkJson,
  type Settings,
  type Tidemark,
} from '../e2e/tidemark';
import { LOCAL_MAINNETS } from '../local-networks';

const main = installation({ settings: LOCAL_MAINNETS });

const backupFolder = () => join(main.folder, 'backup');
const folderOf = (name: string): Settings => ({ ...main.settings, DATA_DIR: join(main.folder, name) });

/** Fees acknowledged before the backup began, and while it ran. */
const before = Array.from({ length: 20 }, (_, n) => `before-${n}`);
const during: string[] = [];

/** The ids of all recorded fees, page by page. */
async function idsOf(url: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1, total = Infinity; ids.length < total; page++) {
    const body = { action: 'list_fee_ledger', pageSize: 100, page };
    const answer = await call(url, 'POST', '/api/instance-admin', { token: main.token, body });
    expect(answer.status).toBe(200);
    ids.push(...(answer.body as { rows: { id: string }[] }).rows.map(({ id }) => id));
    ({ total } = answer.body as { total: number });
  }
  return ids;
}

/** Records fees from four clients at a time, until the work is done. */
async function underLoad<Result>(work: () => Promise<Result>): Promise<Result> {
  let working = true;
  const client = async (name: number): Promise<void> => {
    for (let n = 0; working; n++) {
      const id = `during-${name}-${n}`;
      await main.record([fee(id)]);
      during.push(id);
    }
  };
  const clients = [1, 2, 3, 4].map(client);
  const result = await work().finally(() => (working = false));
  await Promise.all(clients);
  return result;
}

/** A copy of a data folder, whose event store is that of the backup and lacks the newest fees. */
function restoreOnlyTheEventStore(name: string): Settings {
  const settings = folderOf(name);
  const { DATA_DIR } = settings;
  cpSync(main.settings['DATA_DIR']!, DATA_DIR!, { recursive: true });
  for (const suffix of ['-wal', '-shm', ''])
    rmSync(join(DATA_DIR!, `events.sqlite${suffix}`), { force: true });
  cpSync(join(backupFolder(), 'events.sqlite'), join(DATA_DIR!, 'events.sqlite'));
  return settings;
}

describe('a backup taken under load', () => {
  it('is taken while fees are recorded', async () => {
    await main.record(before.map(id => fee(id)));
    const report = await underLoad(() =>
      tidemarkJson<{ files: { file: string }[]; servers: string[] }>(
        ['backup', backupFolder()],
        main.settings,
      ),
    );
    expect(during.length).toBeGreaterThan(0);
    expect(report.servers).toEqual([]);
    expect(report.files.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['documents.sqlite', 'events.sqlite', 'vault.sqlite', 'keys/ledger.json']),
    );
    for (const { file } of report.files) expect(statSync(join(backupFolder(), file)).mode & 0o077).toBe(0);
    const again = await tidemark(['backup', backupFolder()], main.settings);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already exists')]);
  });

  it('restored, is verified, and has every fee acknowledged before it began', async () => {
    cpSync(backupFolder(), folderOf('restored').DATA_DIR!, { recursive: true });
    expect(await tidemarkJson(['verify'], folderOf('restored'))).toMatchObject({ outcome: 'verified' });
    const restored = await startTidemark(folderOf('restored'));
    try {
      // Reads wait for the events that the documents of the backup do not include yet.
      const { events } = await storedStatus<{ events: number }>(folderOf('restored'));
      await callUntilReady(restored.url, 'POST', '/api/instance-admin', {
        token: main.token,
        after: String(events),
        body: { action: 'list_fee_ledger' },
      });
      const ids = await idsOf(restored.url);
      expect(ids).toEqual(expect.arrayContaining(before));
      expect([...before, ...during]).toEqual(expect.arrayContaining(ids));
    } finally {
      await restored.kill('SIGTERM');
    }
  });
});

describe('an event store that is older than the documents', () => {
  let behind: Tidemark;
  let settings: Settings;
  let newest: string;

  beforeAll(async () => {
    newest = 'newest';
    const position = await main.record([fee(newest)]);
    await main.act({ action: 'get_revenue' }, { after: position });
    await main.stop();
    settings = restoreOnlyTheEventStore('behind');
    behind = await spawnTidemark(settings).listening();
  });
  afterAll(() => behind.kill('SIGKILL'));

  it('makes the program not ready, and says once what was found and what helps', async () => {
    const { status, body } = await send(behind.operatorsUrl, 'GET', '/health/ready');
    expect([status, body.status]).toEqual([503, 'not_ready']);
    expect(body.checks.lost_data).toMatch(
      /event store: .*ends at position \d+, and .* has read up to \d+; .*tidemark verify.*restore.*--accept-loss/,
    );
    const errors = behind
      .output()
      .split('\n')
      .filter(line => /"level":"?(50|60|error|fatal)/.test(line));
    expect(errors).toEqual([expect.stringContaining('has lost data')]);
  });

  it('answers no command and proves nothing; documents can be read', async () => {
    const refused = { status: 503, body: { code: 'event_store_behind' } };
    const { token } = main;
    const post = (path: string, body: object) => call(behind.url, 'POST', path, { token, body });
    expect(await post('/api/fees', { fees: [fee('late')] })).toMatchObject(refused);
    expect(
      await post('/api/instance-admin', { action: 'generate_invoice', billingPeriod: '2026-01' }),
    ).toMatchObject(refused);
    expect(await post('/api/instance-admin', { action: 'get_revenue', proof: true })).toMatchObject(refused);
    expect(await idsOf(behind.url)).toContain(newest);
  });

  it('is reported by the commands', async () => {
    await behind.kill('SIGTERM');
    const verified = await tidemark(['verify'], settings);
    expect([verified.code, verified.stdout]).toEqual([5, expect.stringContaining('truncated')]);
    for (const command of [
      ['rebuild', '--all'],
      ['merchants', 'set', 'm-1', '--name', 'Espresso', '--slug', 'espresso'],
      ['proof', 'checkpoint'],
    ]) {
      const { code, stderr } = await tidemark(command, settings);
      expect([command, code, stderr]).toEqual([command, 1, expect.stringContaining('has lost data')]);
    }
  });

  it('can be accepted: everything then follows from the events that are left', async () => {
    await tidemarkJson(['rebuild', '--all', '--accept-loss'], settings);
    const running = await startTidemark(settings);
    try {
      const ids = await idsOf(running.url);
      expect(ids).toEqual(expect.arrayContaining(before));
      expect(ids).not.toContain(newest);
      const { token } = main;
      const recorded = await call(running.url, 'POST', '/api/fees', {
        token,
        body: { fees: [fee('after')] },
      });
      expect(recorded.status).toBe(200);
      const proven = await callUntilReady(running.url, 'POST', '/api/instance-admin', {
        token,
        after: recorded.headers.get('x-ledger-position'),
        body: { action: 'get_revenue', proof: true },
      });
      expect(proven.status).toBe(200);
    } finally {
      await running.kill('SIGTERM');
    }
    expect(await tidemarkJson(['verify'], settings)).toMatchObject({ outcome: 'verified' });
  });
});
