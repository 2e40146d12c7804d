import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { invoiceLinesEvents } from '../../../contracts/events/invoice';
import { compiledPath } from '../../../infra/engines/compiled-path';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { writeJson } from '../../../test/proofs/exported-ledger';
import { temporaryFolder } from '../../../test/temporary-folder';
import { until } from '../../../test/until';
import { draftLines, linesOf } from './parts';
import { scaled } from '../../../test/random';
import '../../../test/starts-programs';

const folder = temporaryFolder();

const program = compiledPath('test/crash/draft-invoice.ts');
const CYCLES = scaled(1);
/** More than a program writes before it is killed, all cycles together. */
const LINES = 4_000 * (1 + CYCLES);

test('a draft that is killed repeatedly is continued, and no part of it is written twice', async () => {
  const lines = Array.from({ length: LINES }, (_, n) => ({
    merchantId: `m-${n}`,
    merchantName: 'Espresso & Co',
    merchantSlug: 'espresso',
    feeType: 'creation',
    feeCount: 1,
    totalFee: `${n}.50`,
    totalGross: '100.00',
  }));
  const draft = { invoiceId: 'i-1', billingPeriod: '2026-11', lines };
  writeJson(join(folder, 'draft.json'), draft);
  const store = openSqliteEventStore({ path: join(folder, 'events.sqlite') });

  let before = await store.head();
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const child = spawn(process.execPath, [program, folder], { stdio: 'inherit' });
    const ended = once(child, 'exit');
    await until(async () => (await store.head()) > before + 50);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    before = await store.head();
  }
  expect(before).toBeLessThan(LINES - 2);

  const stored = await draftLines(store, draft, 1, { now: '2026-12-01T09:00:00.000Z', actor: 'bob' });
  expect(await linesOf(store, { invoiceId: 'i-1', ...stored })).toEqual(lines);
  const parts: number[] = [];
  for await (const events of store.readAll())
    parts.push(...events.map(recorded => invoiceLinesEvents.read(recorded).data.part));
  expect(parts).toEqual(lines.slice(1).map((_, part) => part));
  await store.close();
});
