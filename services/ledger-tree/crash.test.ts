import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiledPath } from '../../infra/engines/compiled-path';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { verifyStore } from '../../infra/verifier/verify-store';
import { temporaryFolder } from '../../test/temporary-folder';
import { until } from '../../test/until';
import { createCheckpoints } from './checkpoints';
import { makeLedgerKeys, openLedgerKeys } from './keys';
import { createLedgerTreeReader } from './reader';
import { scaled } from '../../test/random';
import '../../test/starts-programs';

const folder = temporaryFolder();

const builder = compiledPath('test/crash/build-ledger-tree.ts');
const CYCLES = scaled(2);
/** As the builder of this test is set. */
const SIGN_EVERY_EVENTS = 7;

test('a builder killed at any moment loses no event, includes none twice and signs no wrong checkpoint', async () => {
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });
  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  const keysFile = join(folder, 'keys', 'ledger.json');
  await makeLedgerKeys(keysFile);
  const keys = openLedgerKeys(keysFile);
  const reader = createLedgerTreeReader(documents);
  const checkpoints = createCheckpoints({ store, instanceId: 'local', keys });
  let n = 0;
  const record = async (count: number): Promise<void> => {
    for (const last = n + count; n < last; n++)
      await store.append(`fee-f${n}`, 'no_stream', [
        { id: randomUUID(), type: 'FeeRecorded', data: { id: `f${n}` }, metadata: {} },
      ]);
  };

  const signedSize = async (): Promise<number> => (await checkpoints.latest())?.size ?? 0;

  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const child = spawn(process.execPath, [builder, folder], { stdio: 'inherit' });
    const ended = once(child, 'exit');
    const [before, sizeBefore] = await Promise.all([reader.includedUpTo(), signedSize()]);
    await record(90);
    await until(async () => (await reader.includedUpTo()) > before);
    // Every second one is killed once it has signed at least one checkpoint.
    if (cycle % 2 === 0) await until(async () => (await signedSize()) > sizeBefore);
    await Promise.all([record(40), sleep((cycle % 12) * 9)]);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    const { inTree } = await verifyStore({
      store,
      tree: { reader, checkpoints, keys },
      checkpoints: [],
      signal: new AbortController().signal,
    });
    expect(inTree).toBeGreaterThan(0);
  }
  const last = spawn(process.execPath, [builder, folder], { stdio: 'inherit' });
  const head = await store.head();
  await until(async () => (await reader.includedUpTo()) >= head);
  // A builder killed between a commit and its checkpoint signs that checkpoint when it runs again.
  await until(async () => n - (await signedSize()) < SIGN_EVERY_EVENTS);
  last.kill('SIGKILL');
  const {
    events,
    inTree,
    checkpoints: signed,
  } = await verifyStore({
    store,
    tree: { reader, checkpoints, keys },
    checkpoints: [],
    signal: new AbortController().signal,
  });
  expect({ events, inTree }).toEqual({ events: n, inTree: n });
  expect(signed).toBeGreaterThanOrEqual(CYCLES / 2);
  await Promise.all([store.close(), documents.close()]);
});
