import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiled } from '../../infra/engines/compiled';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { verifyStore } from '../../infra/verifier/verify-store';
import { until } from '../../test/until';
import { createCheckpoints } from './checkpoints';
import { makeLedgerKeys, openLedgerKeys } from './keys';
import { readSeal } from './reading';

const folder = mkdtempSync(join(tmpdir(), 'seal-crash-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sealer = compiled('test/crash/seal-ledger.ts');
const CYCLES = 12;

test('a sealer killed at any moment has lost nothing, sealed nothing twice and signed nothing untrue', async () => {
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  const keysFile = join(folder, 'keys', 'ledger.json');
  await makeLedgerKeys(keysFile);
  const keys = openLedgerKeys(keysFile);
  const reading = readSeal(documents);
  const checkpoints = createCheckpoints({ store, instanceId: 'local', keys });
  let n = 0;
  const record = async (count: number): Promise<void> => {
    for (const last = n + count; n < last; n++)
      await store.append(`fee-f${n}`, 'no_stream', [
        { id: randomUUID(), type: 'FeeRecorded', data: { id: `f${n}` }, metadata: {} },
      ]);
  };

  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const child = spawn(process.execPath, [sealer, folder], { stdio: 'inherit' });
    const ended = once(child, 'exit');
    const before = await reading.sealedTo();
    await record(90);
    await until(async () => (await reading.sealedTo()) > before);
    await Promise.all([record(40), sleep(cycle * 9)]);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    const { sealed } = await verifyStore({
      store,
      seal: { reading, checkpoints, keys },
      held: [],
      signal: new AbortController().signal,
    });
    expect(sealed).toBeGreaterThan(0);
  }
  const last = spawn(process.execPath, [sealer, folder], { stdio: 'inherit' });
  const head = await store.head();
  await until(async () => (await reading.sealedTo()) >= head);
  last.kill('SIGKILL');
  const {
    events,
    sealed,
    checkpoints: signed,
  } = await verifyStore({
    store,
    seal: { reading, checkpoints, keys },
    held: [],
    signal: new AbortController().signal,
  });
  expect({ events, sealed }).toEqual({ events: n, sealed: n });
  expect(signed).toBeGreaterThan(CYCLES / 2);
  await Promise.all([store.close(), documents.close()]);
});
